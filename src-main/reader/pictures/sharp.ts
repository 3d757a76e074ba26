/**
 * sharp (libvips), for all that decodes or encodes pictures here.
 *
 * Its native build has a GLib of its own inside. Electron on Linux brings the one of GTK into the same process, and each then
 * frees what the other has made. There its WebAssembly build of the same version takes the place; Linux packages have no
 * other (`electron-builder.yml`).
 */
import { createRequire, registerHooks } from 'node:module'
import type Sharp from 'sharp'

const NATIVE_ON_LINUX = /^@img\/sharp-linux/

function load(): typeof Sharp {
  const require = createRequire(import.meta.url)
  const withGtk = process.platform === 'linux' && process.versions['electron'] !== undefined
  if (!withGtk) return require('sharp') as typeof Sharp
  // A folder of sources has both installed. sharp takes its WebAssembly if the native build is missing.
  const hooks = registerHooks({
    resolve: (name, context, next) => {
      if (!NATIVE_ON_LINUX.test(name)) return next(name, context)
      throw Object.assign(new Error(`${name} is not for this process`), { code: 'MODULE_NOT_FOUND' })
    },
  })
  try {
    return require('sharp') as typeof Sharp
  } finally {
    hooks.deregister()
  }
}

export const sharp = load()

// One image at a time uses one core and little memory; nothing is requested twice, so a cache is useless.
sharp.concurrency(1)

sharp.cache(false)
