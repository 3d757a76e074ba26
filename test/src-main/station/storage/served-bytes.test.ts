import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { findBytes } from '../../../../src-main/station/storage/served-bytes.ts'
import {
  addTestImage,
  MORNING,
  newSubmission,
  openTestOutbox,
  SERVICE,
  someBytes,
} from '../../../tools/outbox-with.ts'

function foldersIn(folder: string): Parameters<typeof findBytes>[1] & { readonly made: string[] } {
  const made: string[] = []
  return {
    made,
    spoolFolder: join(folder, 'spool'),
    thumbnailsFolder: folder,
    reportsFolder: folder,
    makeThumbnail: (imagePath, thumbnailPath) => {
      made.push(imagePath)
      writeFileSync(thumbnailPath, 'small')
      return Promise.resolve()
    },
    screenPicture: (imageId) => {
      const path = join(folder, `${imageId}.png`)
      made.push(path)
      writeFileSync(path, 'with each pixel')
      return Promise.resolve(path)
    },
  }
}

describe('the bytes behind an id', () => {
  it('are those of the image as it was spooled, and of its thumbnail, made once', async () => {
    const test = openTestOutbox()
    const folders = foldersIn(test.folder)
    const id = addTestImage(test, test.outbox.submissions.create(newSubmission()), { bytes: someBytes(77) })
    expect(await findBytes(test.outbox, folders, 'image', id)).toMatchObject({
      contentType: 'image/jpeg',
      sizeBytes: 77,
    })
    for (let count = 0; count < 2; count += 1)
      expect(await findBytes(test.outbox, folders, 'thumbnail', id)).toEqual({
        path: join(test.folder, `${id}.jpg`),
        contentType: 'image/jpeg',
        sizeBytes: 5,
      })
    expect(folders.made).toHaveLength(1)
  })

  it('are those of a picture for the screen if no browser draws the image', async () => {
    const test = openTestOutbox()
    const folders = foldersIn(test.folder)
    const submissionId = test.outbox.submissions.create(newSubmission())
    const id = addTestImage(test, submissionId, { bytes: someBytes(77), contentType: 'image/tiff' })
    expect(await findBytes(test.outbox, folders, 'image', id)).toEqual({
      path: join(test.folder, `${id}.png`),
      contentType: 'image/png',
      sizeBytes: 15,
    })
    expect(await findBytes(test.outbox, folders, 'original', id)).toMatchObject({
      contentType: 'image/tiff',
      sizeBytes: 77,
    })
    const none = { ...folders, screenPicture: () => Promise.resolve(null) }
    expect(await findBytes(test.outbox, none, 'image', id)).toBeNull()
  })

  it('are those of a version of a report', async () => {
    const test = openTestOutbox()
    const submissionId = test.outbox.submissions.create(newSubmission())
    writeFileSync(join(test.folder, 'x.pdf'), '%PDF-')
    test.outbox.reports.watch({
      submissionId,
      caseId: '9',
      destination: { ...SERVICE, centerId: null },
      at: MORNING,
    })
    test.outbox.reports.saveVersion({
      submission_id: submissionId,
      case_id: '9',
      kind: 'pdf',
      content_type: 'application/pdf',
      size_bytes: 5,
      sha256: 'x',
      file_name: 'x.pdf',
      fetched_at: MORNING,
    })
    const id = test.outbox.reports.versionsOf('9')[0]?.id ?? ''
    expect(await findBytes(test.outbox, foldersIn(test.folder), 'report', id)).toMatchObject({
      contentType: 'application/pdf',
      sizeBytes: 5,
    })
  })

  it('are not there for an id that no one gave, or whose file is gone', async () => {
    const test = openTestOutbox()
    const folders = foldersIn(test.folder)
    for (const kind of ['image', 'thumbnail', 'report'] as const)
      for (const id of ['no one', '../../etc/passwd', ''])
        expect(await findBytes(test.outbox, folders, kind, id)).toBeNull()
    const id = addTestImage(test, test.outbox.submissions.create(newSubmission()), { bytes: someBytes() })
    rmSync(test.spoolPath(test.outbox.images.byId(id)?.spool_name ?? ''))
    expect(await findBytes(test.outbox, folders, 'image', id)).toBeNull()
  })
})
