import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { openSettingsStore } from '../../../../src-main/station/settings/settings.ts'
import { createRecordingLogger } from '../../../tools/recording-logger.ts'
import { createMemorySecrets } from '../../../tools/memory-secrets.ts'
import { temporaryFolder } from '../../../tools/temporary-folder.ts'
import { config, openSettings as open } from '../open-settings-again.ts'

describe('the settings in force', () => {
  it('are the defaults where nobody said anything', async () => {
    const { store } = await open(null)
    expect(store.current()).toEqual(config({}))
    expect(await store.shown()).toEqual({ ...config({}), service: null, managed: {} })
  })

  it('are those of the file where nobody changed anything', async () => {
    const { store } = await open({ centerId: '101', requireBothEyes: true })
    expect(store.current()).toEqual(config({ centerId: '101', requireBothEyes: true }))
  })

  it('are what a person has changed, section by section, also after a restart', async () => {
    const first = await open({ centerId: '101', requireBothEyes: true })
    await first.store.update({ centerId: '102' })
    const expected = config({ centerId: '102', requireBothEyes: true })
    expect(first.store.current()).toEqual(expected)
    const second = await first.again({ centerId: '101', requireBothEyes: true })
    expect(second.store.current()).toEqual(expected)
  })

  it('are those of the file again where the file states that section anew, and only there', async () => {
    const first = await open({ centerId: '101', requiredFields: ['history_number'] })
    await first.store.update({ centerId: '102', requiredFields: ['age'] })
    const second = await first.again({ centerId: '103', requiredFields: ['history_number'] })
    expect(second.store.current()).toEqual(config({ centerId: '103', requiredFields: ['age'] }))
  })

  it('hold where a newer program knows more of a section than the file states', async () => {
    const folder = temporaryFolder()
    const secrets = createMemorySecrets()
    const withDefaults = (bytesPerSecond: number | null) => {
      const settings = config({ delivery: { concurrency: 2, bytesPerSecond } })
      return {
        dataFolder: folder,
        config: { settings, stated: { delivery: { concurrency: 2 } }, enforced: [] },
        secrets,
        logger: createRecordingLogger(),
      }
    }
    const before = await openSettingsStore(withDefaults(null))
    await before.update({ delivery: { ...before.current().delivery, concurrency: 5 } })
    const after = await openSettingsStore(withDefaults(8_192))
    expect(after.current().delivery.concurrency).toBe(5)
  })

  it('replace a section as a whole', async () => {
    const { store } = await open({ delivery: { concurrency: 4, resendWhenProvenAbsent: true } })
    await store.update({ delivery: config({ delivery: { concurrency: 1 } }).delivery })
    expect(store.current().delivery).toEqual(config({ delivery: { concurrency: 1 } }).delivery)
  })

  it('may take a center back', async () => {
    const { store } = await open({ centerId: '101' })
    await store.update({ centerId: null })
    expect(store.current().centerId).toBeNull()
  })

  it('hold all changes that were made at the same time, also after a restart', async () => {
    const first = await open(null)
    await Promise.all([
      first.store.update({ centerId: '102' }),
      first.store.update({ requireBothEyes: true }),
      first.store.update({ requiredFields: ['age'] }),
    ])
    const expected = config({ centerId: '102', requireBothEyes: true, requiredFields: ['age'] })
    expect(first.store.current()).toEqual(expected)
    expect((await first.again(null)).store.current()).toEqual(expected)
  })

  it('that cannot be read any more are told in a sentence, and not by a parser', async () => {
    const folder = temporaryFolder()
    for (const content of ['', 'no JSON', '{"changes":{"centerId":7},"over":{}}']) {
      writeFileSync(join(folder, 'settings.json'), content)
      await expect(open(null, folder)).rejects.toMatchObject({ name: 'StorageError' })
    }
  })
})
