/** A file that cannot be used belongs to its case by its name, and the case waits for a person. */
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { StorageStopped } from '../../../../src-main/station/lib/storage-faults.ts'
import type { UnusableWhy } from '../../../../src-shared/submission.ts'
import { dicomFile } from '../../../camera/write-dicom.ts'
import { endAttempt, startAttempt } from '../../../tools/outbox-with.ts'
import { zipOf } from '../../reader/draw-zips.ts'
import { markIn, picture, type TestCases, watchingCases } from './cases-with.ts'

const VISIT = 'H-00017_20261120'
const [OD, OS] = [`${VISIT}/H-00017_OD_1.png`, `${VISIT}/H-00017_OS_1.png`]
const RECORD = JSON.stringify({
  history_number: 'H-00017',
  visit_date: '2026-11-20',
  images: { 'H-00017_OD_1.png': 'OD', 'H-00017_OS_1.png': 'OS' },
})

let station: TestCases

/** A folder that sends automatically. */
beforeEach(async () => {
  station = await watchingCases({ sendWithoutReview: true })
})

/** The right eye of a visit whose data file proves all of it. */
async function rightEye(): Promise<void> {
  await station.arrive(`${VISIT}/case.json`, RECORD)
  await station.arrive(OD)
}

/** Whole in its structure, and no picture. */
async function damaged(): Promise<Buffer> {
  const bytes = Buffer.from(await picture())
  const data = bytes.indexOf('IDAT')
  return bytes.fill(0, data + 4, data + 12)
}

const setAside = async (path: string, why: UnusableWhy = 'truncated', at?: number): Promise<void> => {
  await station.write(path, 'no image', at)
  station.setAside(path, why)
  await station.clock.settle()
}

const reasonsOf = (nth = 0): string[] => (station.open()[nth]?.reasons ?? []).map(({ kind }) => kind)
const alarms = () => station.test.outbox.openAlarms()
const move = (event: 'approved' | 'held' | 'gatheredToSend'): unknown =>
  station.test.outbox.moveSubmission(station.open()[0]?.id ?? '', event, {}, { at: 1 })

it('without a damaged file, this case is sent automatically', async () => {
  await rightEye()
  await station.quiet()
  expect(station.open()).toMatchObject([{ state: 'waiting', unusableFiles: [] }])
})

describe('a file that cannot be used', () => {
  it('and whose content fails only when it is decoded holds its case back, and is named', async () => {
    await rightEye()
    await station.arrive(OS, await damaged())
    await station.quiet()
    const [first] = station.open()
    expect(first).toMatchObject({
      state: 'incomplete',
      images: [{ eye: 'right' }],
      unusableFiles: [{ fileName: OS, eye: 'left', why: 'damaged', decision: null, replacedBy: null }],
    })
    expect(first?.reasons[0]).toMatchObject({
      kind: 'unusableImage',
      message: expect.stringMatching(/^This image cannot be read \(left eye – OS\): H-00017_OS_1\.png\./),
    })
    expect(station.cases.folders.status()[0]?.notes).toMatchObject([{ fileName: OS, kind: 'unreadable' }])
    const trail = station.test.outbox.listAudit({ submissionId: first?.id ?? '', limit: 9 })
    expect(trail).toContainEqual(expect.objectContaining({ what: 'fileUnusable' }))
  })

  it.each<readonly [UnusableWhy, string, string]>([
    ['empty', OS, 'left'],
    ['truncated', OS, 'left'],
    ['busy', OS, 'left'],
    ['notAnImage', OS, 'left'],
    ['tooLarge', OS, 'left'],
    ['malformed', `${VISIT}/IMG_2.jpg`, 'unknown'],
    ['empty', `${VISIT}/OS/3.JPG`, 'left'],
    ...['jp2', 'j2k', 'jpf', 'jpx', 'heic', 'heif', 'webp', 'GIF'].map(
      (extension) => ['notAnImage', `${VISIT}/OS/3.${extension}`, 'left'] as const,
    ),
    // A DICOM file without an extension, recognised by its beginning.
    ['truncated', `${VISIT}/IM0002`, 'unknown'],
  ])('because it is %s (%s) holds its case back', async (why, path, eye) => {
    await rightEye()
    await setAside(path, why)
    await station.quiet()
    expect(station.open()).toMatchObject([
      { state: 'incomplete', unusableFiles: [{ fileName: path, eye, why }] },
    ])
    expect(reasonsOf()).toEqual(['unusableImage'])
  })

  it.each<readonly [string, UnusableWhy]>([
    [`${VISIT}/report.pdf`, 'truncated'],
    [`${VISIT}/H-00017_OS.txt`, 'empty'],
    [`${VISIT}/H-00017_OS.e2e`, 'unreadable'],
    [`${VISIT}/table.csv`, 'busy'],
    [`${VISIT}/lock`, 'empty'],
    [`${VISIT}/Thumbs.db`, 'busy'],
    ['H-00018_20261120/H-00018_OS_1.pdf', 'empty'],
  ])('whose name promises no image (%s, %s) is only noted', async (path, why) => {
    await rightEye()
    await setAside(path, why)
    await station.quiet()
    expect(station.open()).toMatchObject([{ state: 'waiting', unusableFiles: [] }])
  })

  it('that the settings of the folder leave alone is only noted', async () => {
    station = await watchingCases({ leaveAlone: ['infrared'] })
    await setAside(`${VISIT}/H-00017 infrared OS.jpg`)
    expect(station.open()).toEqual([])
    await setAside(`${VISIT}/H-00017 OS.jpg`)
    expect(station.open()).toMatchObject([{ unusableFiles: [{ eye: 'left' }] }])
  })

  it('in an archive holds the case of the others back', async () => {
    const whole = await picture()
    const packed = [
      { name: 'case.json', bytes: Buffer.from(RECORD) },
      { name: 'H-00017_OD_1.png', bytes: whole },
      { name: 'H-00017_OS_1.png', bytes: whole.subarray(0, whole.length / 2) },
      { name: 'H-00017_OS_2.png', bytes: Buffer.from('no image') },
      { name: 'H-00017.pdf', bytes: Buffer.from('%PDF-1.7') },
    ]
    await station.arrive(`${VISIT}.zip`, await zipOf(packed))
    await station.quiet()
    expect(station.open()).toMatchObject([
      {
        state: 'incomplete',
        images: [{}],
        unusableFiles: [
          { fileName: `${VISIT}.zip/H-00017_OS_1.png`, eye: 'left', why: 'truncated' },
          { fileName: `${VISIT}.zip/H-00017_OS_2.png`, eye: 'left', why: 'notAnImage' },
        ],
      },
    ])
  })

  it('is of its own patient: the case beside it goes on, and there is one without images', async () => {
    await rightEye()
    await setAside('H-00018_20261120/H-00018_OS_1.png')
    await station.quiet()
    expect(station.open()).toMatchObject([
      { state: 'waiting', unusableFiles: [] },
      {
        state: 'incomplete',
        images: [],
        fields: { history_number: 'H-00018' },
        unusableFiles: [{ eye: 'left' }],
      },
    ])
    expect(reasonsOf(1)[0]).toBe('unusableImage')
  })

  it('makes no case of its own if its name says no visit, and joins the next one of the same minutes', async () => {
    const at = Date.UTC(2026, 10, 20, 9)
    await setAside('IMG_2.jpg', 'truncated', at)
    expect(station.open()).toEqual([])
    await station.write('1.dcm', await dicomFile({ patientId: 'H-00017', laterality: 'R' }), at + 60_000)
    await station.see('1.dcm')
    await station.quiet()
    expect(station.open()).toMatchObject([
      { state: 'incomplete', images: [{}], unusableFiles: [{ fileName: 'IMG_2.jpg' }] },
    ])
  })

  it('leaves the case that it made for the one of the images that come after it', async () => {
    const at = Date.UTC(2026, 10, 20, 9)
    await setAside('batch/OS_2.dcm', 'truncated', at)
    expect(station.open()).toMatchObject([{ images: [], unusableFiles: [{}] }])
    await station.write('batch/OD_1.dcm', await dicomFile({ patientId: 'H-00017', laterality: 'R' }), at)
    await station.see('batch/OD_1.dcm')
    await station.quiet()
    expect(station.open()).toMatchObject([
      { state: 'incomplete', images: [{ eye: 'right' }], unusableFiles: [{ eye: 'left' }] },
    ])
  })

  it('is asked about once: a restart finds it again, and the decision stays', async () => {
    await rightEye()
    await setAside(OS)
    const [file] = station.test.outbox.unusableOf(station.open()[0]?.id ?? '')
    station.test.outbox.changeUnusable(file!, { decision: 'exclude', because: 'blink' })
    await station.restart()
    station.setAside(OS, 'truncated')
    await station.clock.settle()
    expect(station.open()).toMatchObject([{ unusableFiles: [{ decision: 'exclude', because: 'blink' }] }])
    // Another version of it is another question.
    await station.write(OS, 'no image either')
    station.setAside(OS, 'truncated')
    await station.clock.settle()
    expect(station.open()).toMatchObject([{ unusableFiles: [{ decision: null }] }])
  })

  it('is recorded once the disk allows it', async () => {
    await rightEye()
    vi.spyOn(station.test.outbox, 'write').mockImplementationOnce(() => {
      throw new StorageStopped()
    })
    await setAside(OS)
    expect(station.open()).toMatchObject([{ unusableFiles: [] }])
    await station.clock.turn(30_000)
    expect(station.open()).toMatchObject([{ unusableFiles: [{ fileName: OS }] }])
    expect(station.logger.lines).toEqual([])
  })

  it('that was there before the station is left alone with the others', async () => {
    const { outbox } = station.test
    await rightEye()
    await station.write(OS, '')
    outbox.markSeen(markIn(station.camera, OS), 'ignored', 1)
    station.setAside(OS, 'empty')
    await station.clock.settle()
    expect(station.open()).toMatchObject([{ unusableFiles: [] }])
  })

  const enter = (history_number: string): void =>
    station.test.outbox.setContent(
      station.open()[0]?.id ?? '',
      { fields: { history_number }, sources: { history_number: 'person' }, reasons: [] },
      1,
    )

  it.each([
    ['burst', 'IMG_1.png', 'IMG_2.jpg'],
    ['folder', 'Smith/1_OD.png', 'Smith/2_OS.png'],
  ])(
    'that states no number is asked about in the case of its %s, whose number is entered',
    async (_what, image, file) => {
      await station.arrive(image)
      enter('Q-9')
      await setAside(file)
      expect(station.open()).toMatchObject([{ images: [{}], unusableFiles: [{ fileName: file }] }])
      expect(reasonsOf()).toContain('unusableImage')
    },
  )

  it('never joins a case whose number a person has entered if it states another', async () => {
    await station.arrive(`${VISIT}/1.png`)
    enter('Q-9')
    await setAside(`${VISIT}/2.png`)
    expect(station.open().map(({ unusableFiles }) => unusableFiles.length)).toEqual([0, 1])
    enter('H-00017')
    await setAside(`${VISIT}/3.png`)
    expect(station.open()[0]?.unusableFiles).toMatchObject([{ fileName: `${VISIT}/3.png` }])
  })
})

describe('a file that cannot be used takes its case back', () => {
  it.each(['waiting', 'review', 'held'] as const)('from %s', async (state) => {
    await rightEye()
    await station.quiet()
    if (state === 'review')
      station.test.outbox.moveSubmission(station.open()[0]?.id ?? '', 'gatheredForReview', {}, { at: 1 })
    if (state === 'held') move('held')
    expect(station.open()).toMatchObject([{ state }])
    await setAside(OS)
    expect(station.open()).toMatchObject([{ state: state === 'held' ? 'held' : 'incomplete' }])
    expect(reasonsOf()).toEqual(['unusableImage'])
    expect(alarms()).toEqual([])
  })

  it('also if an attempt to send it has failed', async () => {
    await rightEye()
    await station.quiet()
    const id = station.open()[0]?.id ?? ''
    startAttempt(station.test, id)
    endAttempt(station.test, id, 'unsent')
    await setAside(OS)
    expect(station.open()).toMatchObject([{ state: 'incomplete' }])
  })
})

describe('a file of a case that is on its way, or was sent', () => {
  it.each(['sending', 'unconfirmed', 'sent'] as const)(
    '(%s) raises an alarm and changes nothing',
    async (state) => {
      await rightEye()
      await station.quiet()
      const id = station.open()[0]?.id ?? ''
      startAttempt(station.test, id)
      if (state !== 'sending') endAttempt(station.test, id, state === 'sent' ? 'delivered' : 'unknown')
      const before = station.test.outbox.candidateOf(id)?.digest
      await setAside(OS)
      await setAside(`${VISIT}/H-00017_OS_2.png`)
      const { reference = '' } = station.open()[0] ?? {}
      expect(station.open()).toMatchObject([{ state, unusableFiles: [{ eye: 'left' }, {}] }])
      expect(station.test.outbox.candidateOf(id)?.digest).toBe(before)
      expect(alarms()).toMatchObject([
        { kind: 'damagedFellow', submissionId: id },
        { kind: 'damagedFellow', message: expect.stringMatching(`${reference}.*H-00017_OS_1.png`) },
      ])
    },
  )

  it('does not leave again on its own once it is back in the queue', async () => {
    await rightEye()
    await station.quiet()
    const id = station.open()[0]?.id ?? ''
    startAttempt(station.test, id)
    await setAside(OS)
    endAttempt(station.test, id, 'unsent')
    expect(station.test.outbox.mayLeave(id)).toBe(false)
    expect(station.open()).toMatchObject([{ state: 'review' }])
  })
})

describe('a later file of that name', () => {
  const asked = { decision: null, replacedBy: expect.any(String) }

  it('joins on its own if it states the id of the case', async () => {
    const stated = { patientId: 'H-00017', studyDate: '20261120' }
    await station.arrive('1.dcm', await dicomFile({ ...stated, laterality: 'R' }))
    await setAside('2.dcm')
    const again = { ...stated, sopUid: '2.25.2', laterality: 'L' }
    await station.arrive('2.dcm', await dicomFile(again))
    await station.quiet()
    expect(station.open()).toMatchObject([
      { state: 'waiting', images: [{}, { eye: 'left' }], unusableFiles: [{ decision: 'replaced' }] },
    ])
  })

  it('is not bound to the record of its folder: its name may be used again for the next patient', async () => {
    await rightEye()
    await setAside(OS)
    await station.arrive(OS)
    await station.quiet()
    expect(station.open()).toMatchObject([{ state: 'incomplete', images: [{}, {}], unusableFiles: [asked] }])
  })

  it('is asked about if it does not, and stays with the case until a person says so', async () => {
    await station.write(`${VISIT}/1.dcm`, await dicomFile({ patientId: 'H-00017', laterality: 'R' }))
    await station.see(`${VISIT}/1.dcm`)
    await setAside(`${VISIT}/IMG_2.png`)
    await station.arrive(`${VISIT}/IMG_2.png`)
    await station.quiet()
    const [first] = station.open()
    expect(station.open()).toMatchObject([{ state: 'incomplete', images: [{}, {}], unusableFiles: [asked] }])
    expect(first?.reasons[0]).toMatchObject({
      kind: 'newExport',
      imageId: first?.unusableFiles[0]?.replacedBy,
      message: expect.stringMatching(/^Is this the new export of IMG_2\.png,/),
    })
  })

  it('goes to its own patient if it states another one, and the case still waits', async () => {
    await station.arrive('1.dcm', await dicomFile({ patientId: 'H-00017', laterality: 'R' }))
    await setAside('IMG_2.dcm')
    const other = { patientId: 'H-00018', sopUid: '2.25.2', laterality: 'L' }
    await station.arrive('IMG_2.dcm', await dicomFile(other))
    expect(station.open()).toMatchObject([
      { images: [{}], unusableFiles: [{ decision: null, replacedBy: null }] },
      { images: [{}], fields: { history_number: 'H-00018' }, unusableFiles: [] },
    ])
  })

  it('needs no answer if it is the very file, which can be read now', async () => {
    await rightEye()
    await station.write(OS)
    station.setAside(OS, 'busy')
    await station.clock.settle()
    expect(reasonsOf()).toEqual(['unusableImage'])
    await station.see(OS)
    await station.quiet()
    expect(station.open()).toMatchObject([
      { state: 'waiting', images: [{}, {}], unusableFiles: [{ decision: 'replaced' }] },
    ])
  })

  it('never joins a case that may have arrived, although it was found absent', async () => {
    await rightEye()
    await station.quiet()
    const id = station.open()[0]?.id ?? ''
    startAttempt(station.test, id)
    endAttempt(station.test, id, 'unknown')
    await setAside(OS)
    station.test.outbox.moveSubmission(id, 'provenAbsent', {}, { at: 2 })
    await station.arrive(OS)
    await station.quiet()
    expect(station.open()).toMatchObject([{ id, images: [{}] }, { images: [{ eye: 'left' }] }])
  })

  it('is an image like any other once a person has decided to go without it', async () => {
    await rightEye()
    await setAside(OS)
    const [file] = station.test.outbox.unusableOf(station.open()[0]?.id ?? '')
    station.test.outbox.changeUnusable(file!, { decision: 'sendAsItIs', because: null })
    await station.arrive(OS)
    expect(station.open()).toMatchObject([
      { images: [{}, {}], unusableFiles: [{ decision: 'sendAsItIs', replacedBy: null }] },
    ])
  })

  it('joins the case without images of a visit of which it was the only one', async () => {
    await setAside('H-00018_20261120/H-00018_OS_1.png')
    await station.arrive('H-00018_20261120/H-00018_OS_1.png')
    await station.quiet()
    expect(station.open()).toMatchObject([
      { state: 'incomplete', images: [{ eye: 'left' }], unusableFiles: [asked] },
    ])
  })
})
