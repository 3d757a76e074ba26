/** Images that come together are assigned with one commit: as one by one, and none is in the way of another. */
import { expect, it, vi } from 'vitest'
import { dicomFile } from '../../../camera/write-dicom.ts'
import { type CameraFile, picture, STANDSTILL, type TestCases, watchingCases } from './cases-with.ts'

const record = (number: string): Uint8Array => Buffer.from(JSON.stringify({ history_number: number }))

/** Visits that touch one another: two patients in one folder, one name twice, equal pixels, records, names without numbers. */
async function mixedVisits(): Promise<CameraFile[]> {
  const known = await picture()
  const at = (minutes: number): number => STANDSTILL + minutes * 60_000
  const files: [path: string, bytes: Uint8Array, minutes: number][] = [
    ['shared/501288_20000101_OD_1.png', await picture(), 1],
    ['shared/501288_20000101_OS_1.png', await picture(), 2],
    ['shared/640031_20000101_OD_1.png', await picture(), 3],
    ['shared/OS_2.png', await picture(), 4],
    ['copies/700400_20000101_OD.png', known, 5],
    ['copies/700400_20000101_OD again.png', known, 6],
    ['copies/700401_20000101_OS.png', known, 7],
    ['twin/800500_20000101_OD.dcm', await dicomFile({ patientId: '800500', laterality: 'R' }), 8],
    ['twin/800500_20000101_OD.png', await picture(), 9],
    ['loose/IMG_0001.png', await picture(), 100],
    ['loose/IMG_0002.png', await picture(), 101],
    ['IMG_0003.png', await picture(), 500],
    ['IMG_0004.png', await picture(), 501],
    ['record/a.png', await picture(), 20],
    ['record/b.png', await picture(), 21],
    ['record/case.json', record('900600'), 19],
  ]
  return files.map(([path, bytes, minutes]) => ({ path, bytes, at: at(minutes) }))
}

/** Which of equal files is the image, the first one read decides. */
function shown(station: TestCases): unknown {
  return station
    .open()
    .map(({ state, fields, reasons, images }) => ({
      state,
      fields,
      reasons: reasons.map(({ kind }) => kind).toSorted(),
      images: images.map(({ eye, sha256, twinOf }) => [sha256, eye, twinOf !== null]),
    }))
    .toSorted((one, other) => (String(one.images[0]) < String(other.images[0]) ? -1 : 1))
}

it('become what they become one by one', async () => {
  const files = await mixedVisits()
  const names = files.map(({ path }) => path)
  const results = []
  for (const how of ['see', 'take'] as const) {
    const station = await watchingCases({}, files)
    await (how === 'see' ? station.see(...names) : station.take(names))
    await station.quiet()
    results.push(shown(station))
  }
  expect(results[0]).toEqual(results[1])
  expect(results[0]).toHaveLength(8)
})

it('of which one cannot be assigned are assigned all the same, and that one once it can be', async () => {
  const station = await watchingCases()
  const names = Array.from({ length: 5 }, (_, at) => `v/501288_20261120_OD_${at}.png`)
  for (const name of names) await station.write(name)
  const { outbox } = station.test
  const { addImage } = outbox
  const adding = vi.spyOn(outbox, 'addImage').mockImplementation((image) => {
    if (image.fileName.endsWith('_2.png')) throw new Error('not this one')
    return addImage(image)
  })
  station.emit(...names)
  await vi.waitFor(() => expect(station.acknowledged).toHaveLength(4), { timeout: 10_000 })
  expect(station.open().map(({ images }) => images.length)).toEqual([4])
  adding.mockRestore()
  await station.see('v/501288_20261120_OD_2.png')
  expect(station.open().map(({ images }) => images.length)).toEqual([5])
})

it('are acknowledged only with their commit: after one that fails each comes once', async () => {
  const station = await watchingCases()
  const names = Array.from({ length: 5 }, (_, at) => `v/501288_20261120_OD_${at}.png`)
  for (const name of names) await station.write(name)
  const failing = vi.spyOn(station.test.outbox, 'markSeen').mockImplementation((file) => {
    if (file.relativePath === names[4]) throw Object.assign(new Error('full'), { code: 'SQLITE_FULL' })
  })
  station.emit(...names)
  await vi.waitFor(() => expect(station.cases.status()[0]?.notes).toHaveLength(5), { timeout: 10_000 })
  expect([station.acknowledged, station.all()]).toEqual([[], []])
  failing.mockRestore()
  await station.see(...names)
  expect(station.open().map(({ images }) => images.length)).toEqual([5])
})
