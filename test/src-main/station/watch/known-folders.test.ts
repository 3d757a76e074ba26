import { describe, expect, it } from 'vitest'
import { KnownFolders } from '../../../../src-main/station/watch/known-folders.ts'

describe('known folders', () => {
  it('are those that a look came by, and each is new once', () => {
    const folders = new KnownFolders()
    expect([folders.see('v'), folders.see('v'), folders.has('v'), folders.has('w')]).toEqual([
      true,
      false,
      true,
      false,
    ])
    folders.forget('v')
    expect([folders.has('v'), folders.see('v')]).toEqual([false, true])
  })

  it('stay known through a sweep, and after it where it or a look meanwhile came by them', () => {
    const folders = new KnownFolders()
    for (const folder of ['kept', 'gone', 'removed']) folders.see(folder)
    folders.beginSweep()
    expect(folders.see('kept')).toBe(false)
    expect(folders.see('removed')).toBe(false)
    expect(folders.see('came')).toBe(true)
    folders.forget('removed')
    expect(folders.has('gone')).toBe(true)
    folders.endSweep()
    expect(['kept', 'came', 'gone', 'removed'].map((folder) => folders.has(folder))).toEqual([
      true,
      true,
      false,
      false,
    ])
  })

  it('are all kept when a sweep breaks off', () => {
    const folders = new KnownFolders()
    folders.see('v')
    folders.beginSweep()
    folders.beginSweep()
    expect(folders.has('v')).toBe(true)
  })
})
