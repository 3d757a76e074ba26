import { expect, it } from 'vitest'
import { joinPath } from '../../../src-renderer/help/help.tsx'

it.each([
  ['C:\\ProgramData\\Fundus Courier', ['backups'], 'C:\\ProgramData\\Fundus Courier\\backups'],
  ['/var/lib/courier', ['backups'], '/var/lib/courier/backups'],
  ['/var/lib/courier', [], '/var/lib/courier'],
])('writes %o with %o below it as %o', (folder, names, path) => {
  expect(joinPath(folder, ...names)).toBe(path)
})
