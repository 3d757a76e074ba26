import { readFileSync, writeFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { databasePathIn, openOutbox } from '../../../../src-main/station/outbox/open-outbox.ts'
import { addWaiting } from '../../../tools/outbox-with.ts'
import { openWithManifests } from './manifests-with.ts'

/** An outbox with one case, closed in order; where its file is. */
async function closedOutbox(): Promise<{
  readonly folder: string
  readonly path: string
  readonly id: string
}> {
  const test = await openWithManifests()
  const id = addWaiting(test)
  await test.end()
  return { folder: test.folder, path: databasePathIn(test.folder), id }
}

describe('an outbox that has changed on the disk', () => {
  it('in any byte of its head opens as it was, or can be built again', async () => {
    const { folder, path } = await closedOutbox()
    const bytes = readFileSync(path)
    for (let at = 0; at < 100; at += 1) {
      const flipped = Buffer.from(bytes)
      flipped.writeUInt8(flipped.readUInt8(at) ^ 0x80, at)
      writeFileSync(path, flipped)
      // The lowest byte of the version: a newer program, for all that anybody can know.
      const expected = at === 63 ? null : 'recover'
      try {
        openOutbox(folder).close()
      } catch (error) {
        expect(error, `byte ${at}`).toMatchObject({ name: 'StorageError', remedy: expected })
      }
    }
  })
})
