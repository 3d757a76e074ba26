/**
 * Ends the program with a sentence where Node is too old for it.
 *
 * `npm ci` brings the right Node as the package `node`, and every `npm run` uses it. npm has no such binary for some
 * systems, and then whatever Node is on the machine runs the scripts. This file is loaded with `--import` before
 * any other and is plain JavaScript, because an old Node cannot read TypeScript at all.
 */

/** chokidar 6 has the highest demand of all packages; running .ts files directly came with 22.18. */
const NEEDED = [22, 22]

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
if (major < NEEDED[0] || (major === NEEDED[0] && minor < NEEDED[1])) {
  process.stderr.write(
    `Fundus Courier needs Node ${NEEDED.join('.')} or newer, but this is Node ${process.versions.node}.\n` +
      'Normally `npm ci` brings its own Node 24 and `npm run` uses it. That has not happened here: either `npm ci` was\n' +
      'not run, or npm has no Node for this system. In the second case install Node 24 from https://nodejs.org\n' +
      'and run the command again.\n',
  )
  process.exit(1)
}
