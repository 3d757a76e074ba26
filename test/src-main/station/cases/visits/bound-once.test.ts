/** A record is bound to one image: by its whole name, of its day, and once. */
import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { DAY } from '../../../../../src-shared/durations.ts'
import { drawFundus } from '../../../../camera/draw-fundus.ts'
import { picture, watchingCases } from '../cases-with.ts'

const SEEN = Date.UTC(2026, 10, 20, 9)
const RECORD = { history_number: 'H-00101', visit_date: '2026-11-20', eye: 'OD' }
const drawn = (seed: number): Promise<Buffer> => drawFundus({ eye: 'right', seed, width: 240, height: 200 })

type Arrival = readonly [path: string, content: object | Buffer]

async function casesAfter(arrivals: readonly Arrival[], mtimeMs = SEEN) {
  const station = await watchingCases({ sendWithoutReview: true })
  for (const [path, content] of arrivals) {
    await station.write(path, Buffer.isBuffer(content) ? content : JSON.stringify(content), mtimeMs)
    await station.see(path)
  }
  await station.quiet()
  return station.open()
}

async function statesAfter(arrivals: readonly Arrival[], mtimeMs = SEEN): Promise<readonly string[]> {
  return (await casesAfter(arrivals, mtimeMs)).map(({ state }) => state)
}

/** The state and the patient number of the case of an image and a record beside it. */
async function filledAfter(record: object, path: string, mtimeMs = SEEN): Promise<readonly unknown[]> {
  const beside = path.replace(/\.\w+$/, '.json')
  const cases = await casesAfter(
    [
      [beside, record],
      [path, await picture()],
    ],
    mtimeMs,
  )
  return cases.map(({ state, fields }) => [state, fields.history_number ?? null])
}

describe('a record of the stem of an image', () => {
  it.each<readonly [what: string, record: Arrival, image: string, state: string]>([
    ['leaves', ['a/K-1.json', RECORD], 'a/K-1.png', 'waiting'],
    ['that names it leaves', ['a/K-1.json', { ...RECORD, file: 'K-1.png' }], 'a/K-1.png', 'waiting'],
    ['that names another waits', ['a/K-1.json', { ...RECORD, file: 'K-3.png' }], 'a/K-1.png', 'incomplete'],
    ['of two digits waits', ['a/42.json', RECORD], 'a/42.png', 'review'],
    [
      'of two digits that names it leaves',
      ['a/42.json', { ...RECORD, file: '42.png' }],
      'a/42.png',
      'waiting',
    ],
  ])('%s', async (_what, record, image, state) => {
    expect(await statesAfter([record, [image, await picture()]])).toEqual([state])
  })

  it.each<readonly [what: string, seeds: readonly [number, number], state: string]>([
    ['that two photographs have waits', [1, 2], 'incomplete'],
    ['that one photograph has in two formats leaves', [3, 3], 'waiting'],
  ])('%s', async (_what, [one, other], state) => {
    const png = await sharp(await drawn(other))
      .png()
      .toBuffer()
    const states = await statesAfter([
      ['a/K-1.json', RECORD],
      ['a/K-1.jpg', await drawn(one)],
      ['a/K-1.png', png],
    ])
    expect(states).toEqual([state])
  })
})

describe('a bound record', () => {
  it.each<readonly [what: string, day: string, mtimeMs: number, state: string]>([
    ['of the day of its image leaves', '2026-11-20', SEEN, 'waiting'],
    ['of the day of its image, seen a day later, leaves', '2026-11-19', SEEN - DAY, 'waiting'],
    [
      'of the day on which it was seen leaves, whatever the clock of the camera',
      '2026-11-20',
      SEEN - 2 * DAY,
      'waiting',
    ],
    ['of the day before its image is asked about', '2026-11-19', SEEN, 'incomplete'],
    ['of the day after it is asked about', '2026-11-21', SEEN, 'incomplete'],
    ['of a day between is asked about', '2026-11-19', SEEN - 2 * DAY, 'incomplete'],
  ])('%s', async (_what, visit_date, mtimeMs, state) => {
    const arrivals: readonly Arrival[] = [
      ['a/K-1.json', { ...RECORD, visit_date }],
      ['a/K-1.png', await picture()],
    ]
    expect(await statesAfter(arrivals, mtimeMs)).toEqual([state])
  })
})

describe('a record of another day than its image', () => {
  it.each<readonly [what: string, record: object, path: string, filled: readonly unknown[]]>([
    ['of the week before gives no patient', { visit_date: '2026-11-13' }, 'a/K-1.png', ['incomplete', null]],
    ['of months ago gives no patient', { visit_date: '2026-02-03' }, 'a/K-1.png', ['incomplete', null]],
    [
      'that names its file gives no patient either',
      { visit_date: '2025-11-20', file: 'K-1.png' },
      'a/K-1.png',
      ['incomplete', null],
    ],
    [
      'which its folder states gives its patient',
      { visit_date: '2026-02-03' },
      '2026-02-03/K-1.png',
      ['review', 'H-00101'],
    ],
    ['of its image leaves', {}, 'a/K-1.png', ['waiting', 'H-00101']],
  ])('%s', async (_what, record, path, filled) => {
    expect(await filledAfter({ ...RECORD, ...record }, path)).toEqual([filled])
  })
})

describe('a record for the name that an image will have', () => {
  it.each(['Order', 'WorklistItem', 'ScheduledExam', 'Auftrag'])('as an XML of %s leaves', async (root) => {
    const text = `<${root}><PatientID>H-00101</PatientID><StudyDate>2026-11-20</StudyDate><Laterality>R</Laterality></${root}>`
    expect(
      await statesAfter([
        ['a/K-1.xml', Buffer.from(text)],
        ['a/K-1.png', await picture()],
      ]),
    ).toEqual(['waiting'])
  })

  it.each(['PreviousOrder', 'Referral', 'OrderingPhysician'])('as an XML of %s waits', async (root) => {
    const text = `<${root}><PatientID>H-00101</PatientID><StudyDate>2026-11-20</StudyDate><Laterality>R</Laterality></${root}>`
    expect(
      await statesAfter([
        ['a/K-1.xml', Buffer.from(text)],
        ['a/K-1.png', await picture()],
      ]),
    ).toEqual(['incomplete'])
  })
})

/** As a program writes it for each exposure. */
const ONE_SHOT = { ...RECORD, capture_id: '0f6c-11', capture_time: '09:00:12' }
const NAMED = { history_number: 'H-00101', visit_date: '2026-11-20', images: { 'OD.jpg': 'OD' } }

describe('the same record beside two photographs', () => {
  it.each<readonly [what: string, records: readonly Arrival[], images: readonly string[], isProof: boolean]>([
    [
      'of one exposure proves nothing of either',
      [
        ['a/K-1.json', ONE_SHOT],
        ['a/K-2.json', ONE_SHOT],
      ],
      ['a/K-1.jpg', 'a/K-2.jpg'],
      false,
    ],
    [
      'of one exposure, in another folder, proves nothing of either',
      [
        ['a/K-1.json', ONE_SHOT],
        ['b/c/X.json', ONE_SHOT],
      ],
      ['a/K-1.jpg', 'b/c/X.jpg'],
      false,
    ],
    [
      'of one exposure, with the name of the other file in it, proves nothing of either',
      [
        ['a/K-1.json', { ...ONE_SHOT, file: 'K-1.jpg' }],
        ['a/K-2.json', { ...ONE_SHOT, file: 'K-2.jpg' }],
      ],
      ['a/K-1.jpg', 'a/K-2.jpg'],
      false,
    ],
    [
      'that names the images of its folder proves nothing in a second one',
      [
        ['a/case.json', NAMED],
        ['b/case.json', NAMED],
      ],
      ['a/OD.jpg', 'b/OD.jpg'],
      false,
    ],
    [
      'of one eye, which numbers no exposure, proves both',
      [
        ['a/K-1.json', RECORD],
        ['a/K-2.json', RECORD],
      ],
      ['a/K-1.jpg', 'a/K-2.jpg'],
      true,
    ],
    [
      'of two exposures proves both',
      [
        ['a/K-1.json', ONE_SHOT],
        ['a/K-2.json', { ...ONE_SHOT, capture_id: '0f6c-12' }],
      ],
      ['a/K-1.jpg', 'a/K-2.jpg'],
      true,
    ],
  ])('%s', async (_what, records, paths, isProof) => {
    const pictures = await Promise.all(paths.map((_, seed) => drawn(seed + 1)))
    const images = paths.map((path, at): Arrival => [path, pictures[at] ?? Buffer.alloc(0)])
    for (const arrivals of [
      [...records, ...images],
      [...images, ...records],
    ]) {
      const states = new Set(await statesAfter(arrivals))
      expect([...states]).toEqual([isProof ? 'waiting' : 'incomplete'])
    }
  })

  it('of one exposure proves it if both are one photograph', async () => {
    const image = await drawn(1)
    const states = await statesAfter([
      ['a/K-1.json', ONE_SHOT],
      ['a/K-1.jpg', image],
      ['again/K-1.json', ONE_SHOT],
      ['again/K-1.jpg', image],
    ])
    expect(states).toEqual(['waiting'])
  })
})

it('a record of one exposure that comes beside a later image proves nothing of the case that waits already', async () => {
  const station = await watchingCases({ sendWithoutReview: true })
  const arrive = async (path: string, content: object | Buffer): Promise<void> => {
    await station.write(path, Buffer.isBuffer(content) ? content : JSON.stringify(content), SEEN)
    await station.see(path)
  }
  await arrive('a/K-1.json', ONE_SHOT)
  await arrive('a/K-1.jpg', await drawn(1))
  await station.quiet()
  expect(station.open().map(({ state }) => state)).toEqual(['waiting'])
  await arrive('b/K-2.json', ONE_SHOT)
  await arrive('b/K-2.jpg', await drawn(2))
  await station.quiet()
  expect(station.open().map(({ state }) => state)).toEqual(['incomplete', 'incomplete'])
})
