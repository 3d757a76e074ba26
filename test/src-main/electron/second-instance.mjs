/**
 * Loaded before a built main.js: gives it an `electron` whose lock is taken, and prints what happened. Only what main.js
 * itself may touch is there; everything else would throw.
 */
import { registerHooks } from 'node:module'

const done = []
globalThis.electron = {
  app: {
    enableSandbox: () => done.push('sandbox'),
    setAppUserModelId: () => done.push('id'),
    getPath: () => process.env.USER_DATA,
    requestSingleInstanceLock: () => done.push('lock') === 0,
    whenReady: () => done.push('ready'),
    exit: (code) => done.push(`exit ${code}`),
  },
  dialog: {},
  protocol: { registerSchemesAsPrivileged: ([{ scheme }]) => done.push(`scheme ${scheme}`) },
}
const names = Object.keys(globalThis.electron)
const source = names.map((name) => `export const ${name} = globalThis.electron.${name}`).join('\n')

registerHooks({
  resolve: (specifier, context, next) =>
    specifier === 'electron' ? { url: 'fake:electron', shortCircuit: true } : next(specifier, context),
  load: (url, context, next) => {
    if (url === 'fake:electron') return { format: 'module', source, shortCircuit: true }
    if (url.includes('/out/main/'))
      done.push(`load ${url.split('/out/main/')[1].replace(/-[\w-]{8}\.js$/, '')}`)
    return next(url, context)
  },
})
process.on('exit', () => process.stdout.write(JSON.stringify(done)))
