import { rmSync } from 'node:fs'
import { afterEach, describe, expect, it } from 'vitest'
import type { StationParts } from '../../../../src-main/station/api.ts'
import { submissionCalls } from '../../../../src-main/station/calls/submissions.ts'
import { readPhoto } from '../../../../src-main/station/intake/images/photo.ts'
import type { Fields } from '../../../../src-shared/fields.ts'
import { intakeWith, markIn, picture, type TestIntake, watchingIntake } from './intake-with.ts'

let station: TestIntake
afterEach(() => station.intake.close())

describe('images of one visit', () => {
  it('become one submission, which waits for a person although folder and file agree: only names say whose it is', async () => {
    station = await watchingIntake({ sendWithoutReview: true })
    for (const eye of ['OD', 'OS']) await station.write(`H-00017_20261120/H-00017_20261120_${eye}_1.png`)
    await station.see(
      'H-00017_20261120/H-00017_20261120_OD_1.png',
      'H-00017_20261120/H-00017_20261120_OS_1.png',
    )
    expect(station.all().map((one) => one.state)).toEqual(['collecting'])
    await station.quiet()
    const [submission] = station.all()
    expect(submission).toMatchObject({
      state: 'review',
      fields: { history_number: 'H-00017', visit_date: '2026-11-20' },
      reasons: [{ kind: 'readFromNames' }],
    })
    const trail = station.test.outbox.audit.list({ submissionId: submission?.id ?? '', limit: 9 })
    expect(trail.map(({ what }) => what)).not.toContain('gatheredToSend')
    expect(submission?.images.map((image) => [image.eye, image.eyeSource])).toEqual([
      ['right', 'fileName'],
      ['left', 'fileName'],
    ])
  })

  it('are never taken twice, whatever their name: the second is told as seen', async () => {
    station = await watchingIntake()
    const bytes = await picture()
    await station.write('H-00017_20261120_OD_1.png', bytes)
    await station.write('H-00018_20261120_OS_9.png', bytes)
    await station.see('H-00017_20261120_OD_1.png')
    await station.see('H-00018_20261120_OS_9.png')
    const [submission, ...others] = station.all()
    expect(others).toEqual([])
    const [note] = station.intake.status()[0]?.notes ?? []
    expect(note).toMatchObject({
      kind: 'duplicate',
      message: expect.stringContaining(submission?.reference ?? '-'),
    })
  })

  it('that come before the first attempt join their case again', async () => {
    station = await watchingIntake({ sendWithoutReview: true })
    await station.arrive('H-00017_20261120/H-00017_OD_1.png')
    await station.quiet()
    await station.arrive('H-00017_20261120/H-00017_OS_1.png')
    expect(station.all().map((one) => [one.state, one.images.length])).toEqual([['collecting', 2]])
  })

  it('that come after the first attempt open an addendum that waits for a person', async () => {
    station = await watchingIntake({ sendWithoutReview: true })
    await station.arrive('H-00017_20261120/H-00017_OD_1.png')
    await station.quiet()
    const first = station.all()[0]?.id ?? ''
    const destination = { baseUrl: 'https://service.example', clientId: 'c', centerId: null }
    station.test.outbox.submissions.transition(first, 'approved', {}, { at: 1 })
    station.test.outbox.attempts.open({ submissionId: first, destination, requestBytes: 9, at: 1 })
    await station.arrive('H-00017_20261120/H-00017_OS_1.png')
    await station.quiet()
    const [sent, late] = station.all()
    expect(sent?.images).toHaveLength(1)
    expect(late).toMatchObject({ state: 'incomplete', reasons: [{ kind: 'lateImage' }] })
  })

  it('stay on hold with the case that a person has stopped', async () => {
    station = await watchingIntake({ sendWithoutReview: true })
    await station.arrive('H-00017_20261120/H-00017_OD_1.png')
    await station.quiet()
    const id = station.all()[0]?.id ?? ''
    station.test.outbox.submissions.transition(id, 'held', {}, { at: 1 })
    await station.arrive('H-00017_20261120/H-00017_OS_1.png')
    await station.quiet()
    expect(station.all().map((one) => [one.state, one.images.length])).toEqual([['held', 2]])
  })
})

describe('files that lay there before the first start', () => {
  it('wait for a decision with their number, and are taken after it', async () => {
    station = intakeWith({}, {}, { existingByDefault: 'ask' })
    await station.write('H-00017_20261120_OD_1.png')
    await station.watch()
    expect(station.intake.status()[0]).toMatchObject({ health: 'asking', existingCount: 1 })
    await station.see('H-00017_20261120_OD_1.png')
    expect(station.all()).toEqual([])
    await station.intake.decideExisting(station.camera, { kind: 'include' })
    await station.see('H-00017_20261120_OD_1.png')
    expect(station.all()).toHaveLength(1)
    expect(station.intake.status()[0]).toMatchObject({ existingCount: 0 })
  })
})

it('makes a case by hand of whole images only, all of them or none', async () => {
  station = intakeWith()
  await station.write('a.png')
  await station.write('b.png', Buffer.from('no image'))
  const [good, bad] = ['a.png', 'b.png'].map((name) => ({
    path: `${station.camera}/${name}`,
    eye: 'right' as const,
  }))
  const fields = { history_number: 'H-00020' }
  expect(
    await station.intake.addByHand({ fields, images: [good, bad].filter((one) => one !== undefined) }),
  ).toMatchObject({ ok: false })
  expect(station.all()).toEqual([])
  expect(
    await station.intake.addByHand({ fields, images: [good].filter((one) => one !== undefined) }),
  ).toMatchObject({ ok: true })
  expect(station.all()).toMatchObject([
    { state: 'review', fields, images: [{ eye: 'right', eyeSource: 'person' }] },
  ])
})

describe('a case that somebody is at work on', () => {
  const update = (input: { id: string; fields: Fields; mayLeave: boolean }) => {
    const parts = { outbox: station.test.outbox, intake: station.intake, ports: { clock: { now: () => 1 } } }
    return submissionCalls(parts as StationParts)['submissions.update'](input)
  }
  const begin = async (mayLeave: boolean): Promise<string> => {
    station = await watchingIntake({ sendWithoutReview: true })
    const images = { 'H-00017_OD_1.png': 'OD', 'H-00017_OS_1.png': 'OS', 'H-00017_OS_2.png': 'OS' }
    const record = JSON.stringify({ history_number: 'H-00017', visit_date: '2026-11-20', images })
    await station.write('H-00017_20261120/case.json', Buffer.from(record))
    await station.write('H-00017_20261120/H-00017_OD_1.png')
    await station.see('H-00017_20261120/case.json', 'H-00017_20261120/H-00017_OD_1.png')
    const id = station.all()[0]?.id ?? ''
    await update({ id, fields: { od_iop: 1 }, mayLeave })
    return id
  }

  it('leaves by the rule of its folder after a change that was whole', async () => {
    await begin(true)
    await station.quiet()
    expect(station.all().map(({ state }) => state)).toEqual(['waiting'])
  })

  it('never leaves by it before a person has passed it on, whatever comes', async () => {
    const id = await begin(false)
    await station.quiet()
    expect(station.all().map(({ state }) => state)).toEqual(['review'])
    const record = JSON.stringify({ history_number: 'H-00017', visit_date: '2026-11-20', age: 61 })
    await station.arrive('H-00017_20261120/H-00017.json', Buffer.from(record))
    expect(station.all()).toMatchObject([{ state: 'review', fields: { age: 61, od_iop: 1 } }])
    await station.arrive('H-00017_20261120/H-00017_OS_1.png')
    await station.quiet()
    expect(station.all()).toMatchObject([{ state: 'review', images: [{}, {}] }])
    station.test.outbox.submissions.transition(id, 'gatheredIncomplete', {}, { at: 1 })
    await station.intake.refreshAll()
    expect(station.all().map(({ state }) => state)).toEqual(['review'])
    // Passed by a person, it is as any other.
    station.test.outbox.submissions.transition(id, 'approved', {}, { at: 1 })
    await station.arrive('H-00017_20261120/H-00017_OS_2.png')
    await station.quiet()
    expect(station.all()).toMatchObject([{ state: 'waiting', images: [{}, {}, {}] }])
  })

  it('goes to a person again when an image joins of which only the name says whose it is', async () => {
    station = await watchingIntake({ sendWithoutReview: true })
    const images = { 'H-00017_OD_1.png': 'OD', 'H-00017_OS_1.png': 'OS', 'H-00017_OS_2.png': 'OS' }
    const [first, second, third] = Object.keys(images).map((name) => `H-00017_20261120/${name}`)
    await station.write('H-00017_20261120/case.json', Buffer.from(JSON.stringify({ images })))
    for (const name of [first, second, third]) await station.write(name ?? '')
    await station.see('H-00017_20261120/case.json', first ?? '')
    const id = station.all()[0]?.id ?? ''
    await update({ id, fields: { history_number: 'H-00017', visit_date: '2026-11-20' }, mayLeave: true })
    await station.quiet()
    expect(station.all()).toMatchObject([{ state: 'waiting', images: [{}] }])
    await station.see(second ?? '')
    await station.quiet()
    const inReview = { state: 'review', reasons: [{ kind: 'readFromNames' }], images: [{}, {}] }
    expect(station.all()).toMatchObject([inReview])
    station.test.outbox.submissions.transition(id, 'approved', {}, { at: 1 })
    expect(station.all()).toMatchObject([{ state: 'waiting' }])
    await station.see(third ?? '')
    await station.quiet()
    expect(station.all()).toMatchObject([{ ...inReview, images: [{}, {}, {}] }])
  })

  it('goes to a person again when the data file no longer states what an image joined by', async () => {
    station = await watchingIntake({ sendWithoutReview: true })
    const record = 'H-00017_20261120/case.json'
    const stated = { history_number: 'H-00017', visit_date: '2026-11-20' }
    const images = { 'H-00017_OD_1.png': 'OD', 'H-00017_OS_1.png': 'OS' }
    const [first = '', second = ''] = Object.keys(images).map((name) => `H-00017_20261120/${name}`)
    await station.write(record, Buffer.from(JSON.stringify({ ...stated, images })))
    for (const name of [first, second]) await station.write(name)
    await station.see(record, first)
    const id = station.all()[0]?.id ?? ''
    await update({ id, fields: stated, mayLeave: true })
    await station.see(second)
    await station.write(record, Buffer.from(JSON.stringify({ images })))
    await station.see(record)
    await station.quiet()
    expect(station.all()).toMatchObject([
      { state: 'review', reasons: [{ kind: 'readFromNames' }], images: [{}, {}] },
    ])
  })
})

it('quarantines an unreadable case that it meets while it refreshes many', async () => {
  station = await watchingIntake()
  const names = ['H-00017_OD_1.png', 'H-00018_OD_1.png']
  for (const name of names) await station.write(name)
  await station.see(...names)
  const damaged = station.all()[0]?.id ?? ''
  station.test.outbox.images.add({
    submissionId: damaged,
    folderPath: station.camera,
    fileName: 'H-00017_OD_2.png',
    mtimeMs: 1,
    eye: 'right',
    eyeSource: null,
    sizeBytes: 1,
    sha256: 'e0',
    spoolName: 'e0',
    contentType: 'image/png',
    facts: '{',
    at: 1,
  })
  await station.intake.refreshAll()
  expect(station.test.outbox.quarantine.of(damaged)).toMatchObject({ unreadable: 'images.facts' })
  expect(station.logger.lines).toEqual([])
})

it('makes no row of an image whose bytes are removed during its inspection, and takes it at the next try', async () => {
  let isRemoved = true
  station = intakeWith(
    {},
    {},
    {
      readPhoto: async (request) => {
        const reading = await readPhoto(request)
        // As retention does with the same bytes of an old case.
        if (isRemoved) rmSync(request.path)
        return reading
      },
    },
  )
  await station.watch()
  const path = 'H-00017_OD_1.png'
  await station.write(path)
  const file = { ...markIn(station.camera, path), content: 'image/png' } as const
  station.emit({ kind: 'settled', file })
  await station.quiet()
  expect([station.all(), station.test.outbox.files.hasSeen(file)]).toEqual([[], false])
  isRemoved = false
  await station.see(path)
  expect(station.all()).toHaveLength(1)
})
