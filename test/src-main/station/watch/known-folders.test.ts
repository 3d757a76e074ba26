import { describe, expect, it } from 'vitest'
import { SeenFolders } from '../../../../src-main/station/watch/walk.ts'

describe('known folders', () => {
  it('are those that a look came by, and each is new once', () => {
    const folders = new SeenFolders()
    expect([folders.add('v'), folders.add('v'), folders.has('v'), folders.has('w')]).toEqual([
      true,
      false,
      true,
      false,
    ])
    folders.forget('v')
    expect([folders.has('v'), folders.add('v')]).toEqual([false, true])
  })

  it('stay known through a sweep, and after it where it or a look meanwhile came by them', () => {
    const folders = new SeenFolders()
    for (const folder of ['kept', 'gone', 'removed']) folders.add(folder)
    folders.beginSweep()
    expect(folders.add('kept')).toBe(false)
    expect(folders.add('removed')).toBe(false)
    expect(folders.add('came')).toBe(true)
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
    const folders = new SeenFolders()
    folders.add('v')
    folders.beginSweep()
    folders.beginSweep()
    expect(folders.has('v')).toBe(true)
  })
})
