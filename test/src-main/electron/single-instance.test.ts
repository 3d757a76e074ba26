import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, vi } from 'vitest'
import { isFirstInstance } from '../../../src-main/electron/single-instance.ts'
import { temporaryFolder } from './temporary-folder.ts'

it('makes the folder of the lock before it asks for it: Electron would else report it as taken', async () => {
  const folder = join(await temporaryFolder(), 'first', 'start')
  const app = { getPath: () => folder, requestSingleInstanceLock: () => existsSync(folder) }
  expect(isFirstInstance(app)).toBe(true)
})

it('tells why it does not start where another one runs', async () => {
  const folder = await temporaryFolder()
  const write = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
  expect(isFirstInstance({ getPath: () => folder, requestSingleInstanceLock: () => false })).toBe(false)
  expect(write.mock.calls.flat().join('')).toContain(folder)
  write.mockRestore()
})
