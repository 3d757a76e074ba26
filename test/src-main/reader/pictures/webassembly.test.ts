/** All that is expected of decoding, of the build that an installed station on Linux has: the native one is not found here. */
import { registerHooks } from 'node:module'
import { expect, it } from 'vitest'

registerHooks({
  resolve: (name, context, next) => {
    if (!name.startsWith('@img/sharp-') || name.startsWith('@img/sharp-wasm32')) return next(name, context)
    throw Object.assign(new Error(`${name} is not packed`), { code: 'MODULE_NOT_FOUND' })
  },
})
const { sharp } = await import('../../../../src-main/reader/pictures/sharp.ts')
await import('./decode.test.ts')
await import('./foreign-habits.test.ts')
await import('./photo.test.ts')

it('is WebAssembly', () => {
  expect(sharp.versions).toHaveProperty('emscripten')
})
