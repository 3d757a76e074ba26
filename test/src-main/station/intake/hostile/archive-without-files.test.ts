import { describe, expect, it } from 'vitest'
import { zipOf } from '../draw-zips.ts'
import { Place } from '../properties/arrivals.ts'

describe('an archive', () => {
  it.each([
    [
      'whose directory names nothing',
      async () => withoutDirectory(await zipOf([{ name: 'a.txt', bytes: Buffer.from('a') }])),
    ],
    ['that holds only what systems leave', () => zipOf([{ name: '.DS_Store', bytes: Buffer.from('x') }])],
  ])('%s is told, and is not taken in silence', async (_, make) => {
    const place = new Place([{ path: 'export.zip', bytes: await make(), at: Date.UTC(2026, 10, 20, 9) }])
    try {
      await place.start()
      await place.take(['export.zip'])
      expect(place.intake.status()[0]?.notes).toMatchObject([{ fileName: 'export.zip', kind: 'ignored' }])
    } finally {
      await place.leave()
    }
  })
})

/** The record at the end (APPNOTE 4.3.16) says that there is nothing. */
function withoutDirectory(zip: Buffer): Buffer {
  return Buffer.from(zip).fill(0, zip.length - 18)
}
