import { rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { readPhoto } from '../../../../src-main/station/intake/images/photo.ts'
import { type IngestContext, ingestImage } from '../../../../src-main/station/intake/ingest.ts'
import { settingsSchema } from '../../../../src-shared/settings.ts'
import { ManualClock } from '../../../tools/manual-clock.ts'
import { openTestOutbox } from '../../../tools/outbox-with.ts'
import { temporaryFolder } from '../../../tools/temporary-folder.ts'
import { picture } from './intake-with.ts'

it('an image whose bytes were removed while it was looked at makes no row, and is taken at the next try', async () => {
  const { outbox } = openTestOutbox()
  const [camera, spoolFolder] = [temporaryFolder(), temporaryFolder()]
  const path = join(camera, 'H-00017_OD.png')
  writeFileSync(path, await picture())
  const { size: sizeBytes, mtimeMs } = statSync(path)
  const stamp = { sizeBytes, mtimeMs: Math.floor(mtimeMs) }
  const mark = { folderPath: camera, relativePath: 'H-00017_OD.png', ...stamp }
  let isRemoved = true
  const settings = settingsSchema.parse({ folders: [{ path: camera }] })
  const context = {
    outbox,
    clock: new ManualClock(),
    settings: () => settings,
    spoolFolder,
    pictureFolder: spoolFolder,
    readPhoto: async (request) => {
      const reading = await readPhoto(request)
      // As retention does with the same bytes of an old case.
      if (isRemoved) rmSync(request.path)
      return reading
    },
    note: () => undefined,
    storageIs: () => undefined,
  } satisfies IngestContext
  const take = (): Promise<string> =>
    ingestImage(context, mark, { contentType: 'image/png', at: { path, ...stamp } })
  expect([await take(), outbox.submissions.list({ limit: 5 }).total]).toEqual(['again', 0])
  isRemoved = false
  expect([await take(), outbox.submissions.list({ limit: 5 }).total]).toEqual(['done', 1])
})
