import { afterEach, describe, expect, it } from 'vitest'
import type { StationParts } from '../../../../src-main/station/calls/parts.ts'
import { submissionCalls } from '../../../../src-main/station/calls/submissions.ts'
import type { Fields } from '../../../../src-shared/fields.ts'
import { intakeWith, picture, type TestIntake } from './intake-with.ts'

let scene: TestIntake
afterEach(() => scene.intake.close())

describe('images of one visit', () => {
  it('become one submission, which waits for a person although folder and file agree: only names say whose it is', async () => {
    scene = intakeWith({ sendWithoutReview: true })
    await scene.watch()
    for (const eye of ['OD', 'OS']) await scene.write(`H-00017_20261120/H-00017_20261120_${eye}_1.png`)
    await scene.see(
      'H-00017_20261120/H-00017_20261120_OD_1.png',
      'H-00017_20261120/H-00017_20261120_OS_1.png',
    )
    expect(scene.all().map((one) => one.state)).toEqual(['collecting'])
    await scene.quiet()
    const [submission] = scene.all()
    expect(submission).toMatchObject({
      state: 'review',
      fields: { history_number: 'H-00017', visit_date: '2026-11-20' },
      reasons: [{ kind: 'readFromNames' }],
    })
    const trail = scene.test.outbox.audit.list({ submissionId: submission?.id ?? '', limit: 9 })
    expect(trail.map(({ what }) => what)).not.toContain('gatheredToSend')
    expect(submission?.images.map((image) => [image.eye, image.eyeSource])).toEqual([
      ['right', 'fileName'],
      ['left', 'fileName'],
    ])
  })

  it('are never taken twice, whatever their name: the second is told as seen', async () => {
    scene = intakeWith()
    await scene.watch()
    const bytes = await picture()
    await scene.write('H-00017_20261120_OD_1.png', bytes)
    await scene.write('H-00018_20261120_OS_9.png', bytes)
    await scene.see('H-00017_20261120_OD_1.png')
    await scene.see('H-00018_20261120_OS_9.png')
    const [submission, ...others] = scene.all()
    expect(others).toEqual([])
    const [note] = scene.intake.status()[0]?.notes ?? []
    expect(note).toMatchObject({
      kind: 'duplicate',
      message: expect.stringContaining(submission?.reference ?? '-'),
    })
  })

  it('that come before the first attempt join their case again', async () => {
    scene = intakeWith({ sendWithoutReview: true })
    await scene.watch()
    await scene.write('H-00017_20261120/H-00017_OD_1.png')
    await scene.see('H-00017_20261120/H-00017_OD_1.png')
    await scene.quiet()
    await scene.write('H-00017_20261120/H-00017_OS_1.png')
    await scene.see('H-00017_20261120/H-00017_OS_1.png')
    expect(scene.all().map((one) => [one.state, one.images.length])).toEqual([['collecting', 2]])
  })

  it('that come after the first attempt open an addendum that waits for a person', async () => {
    scene = intakeWith({ sendWithoutReview: true })
    await scene.watch()
    await scene.write('H-00017_20261120/H-00017_OD_1.png')
    await scene.see('H-00017_20261120/H-00017_OD_1.png')
    await scene.quiet()
    const first = scene.all()[0]?.id ?? ''
    const destination = { baseUrl: 'https://service.example', clientId: 'c', centerId: null }
    scene.test.outbox.submissions.transition(first, 'approved', {}, { at: 1 })
    scene.test.outbox.attempts.open({ submissionId: first, destination, requestBytes: 9, at: 1 })
    await scene.write('H-00017_20261120/H-00017_OS_1.png')
    await scene.see('H-00017_20261120/H-00017_OS_1.png')
    await scene.quiet()
    const [sent, late] = scene.all()
    expect(sent?.images).toHaveLength(1)
    expect(late).toMatchObject({ state: 'incomplete', reasons: [{ kind: 'lateImage' }] })
  })

  it('stay on hold with the case that a person has stopped', async () => {
    scene = intakeWith({ sendWithoutReview: true })
    await scene.watch()
    await scene.write('H-00017_20261120/H-00017_OD_1.png')
    await scene.see('H-00017_20261120/H-00017_OD_1.png')
    await scene.quiet()
    const id = scene.all()[0]?.id ?? ''
    scene.test.outbox.submissions.transition(id, 'held', {}, { at: 1 })
    await scene.write('H-00017_20261120/H-00017_OS_1.png')
    await scene.see('H-00017_20261120/H-00017_OS_1.png')
    await scene.quiet()
    expect(scene.all().map((one) => [one.state, one.images.length])).toEqual([['held', 2]])
  })
})

describe('files that lay there before the first start', () => {
  it('wait for a decision with their number, and are taken after it', async () => {
    scene = intakeWith({}, {}, 'ask')
    await scene.write('H-00017_20261120_OD_1.png')
    await scene.watch()
    expect(scene.intake.status()[0]).toMatchObject({ health: 'asking', existingCount: 1 })
    await scene.see('H-00017_20261120_OD_1.png')
    expect(scene.all()).toEqual([])
    await scene.intake.decideExisting(scene.camera, { kind: 'include' })
    await scene.see('H-00017_20261120_OD_1.png')
    expect(scene.all()).toHaveLength(1)
    expect(scene.intake.status()[0]).toMatchObject({ existingCount: 0 })
  })
})

it('makes a case by hand of whole images only, all of them or none', async () => {
  scene = intakeWith()
  await scene.write('a.png')
  await scene.write('b.png', Buffer.from('no image'))
  const [good, bad] = ['a.png', 'b.png'].map((name) => ({
    path: `${scene.camera}/${name}`,
    eye: 'right' as const,
  }))
  const fields = { history_number: 'H-00020' }
  expect(
    await scene.intake.addByHand({ fields, images: [good, bad].filter((one) => one !== undefined) }),
  ).toMatchObject({ ok: false })
  expect(scene.all()).toEqual([])
  expect(
    await scene.intake.addByHand({ fields, images: [good].filter((one) => one !== undefined) }),
  ).toMatchObject({ ok: true })
  expect(scene.all()).toMatchObject([
    { state: 'review', fields, images: [{ eye: 'right', eyeSource: 'person' }] },
  ])
})

describe('a case that somebody is at work on', () => {
  const update = (input: { id: string; fields: Fields; mayLeave: boolean }) => {
    const parts = { outbox: scene.test.outbox, intake: scene.intake, ports: { clock: { now: () => 1 } } }
    return submissionCalls(parts as StationParts)['submissions.update'](input)
  }
  const begin = async (mayLeave: boolean): Promise<string> => {
    scene = intakeWith({ sendWithoutReview: true })
    await scene.watch()
    const images = { 'H-00017_OD_1.png': 'OD', 'H-00017_OS_1.png': 'OS', 'H-00017_OS_2.png': 'OS' }
    const record = JSON.stringify({ history_number: 'H-00017', visit_date: '2026-11-20', images })
    await scene.write('H-00017_20261120/case.json', Buffer.from(record))
    await scene.write('H-00017_20261120/H-00017_OD_1.png')
    await scene.see('H-00017_20261120/case.json', 'H-00017_20261120/H-00017_OD_1.png')
    const id = scene.all()[0]?.id ?? ''
    await update({ id, fields: { od_iop: 1 }, mayLeave })
    return id
  }

  it('leaves by the rule of its folder after a change that was whole', async () => {
    await begin(true)
    await scene.quiet()
    expect(scene.all().map(({ state }) => state)).toEqual(['waiting'])
  })

  it('never leaves by it before a person has passed it on, whatever comes', async () => {
    const id = await begin(false)
    await scene.quiet()
    expect(scene.all().map(({ state }) => state)).toEqual(['review'])
    const record = JSON.stringify({ history_number: 'H-00017', visit_date: '2026-11-20', age: 61 })
    await scene.write('H-00017_20261120/H-00017.json', Buffer.from(record))
    await scene.see('H-00017_20261120/H-00017.json')
    expect(scene.all()).toMatchObject([{ state: 'review', fields: { age: 61, od_iop: 1 } }])
    await scene.write('H-00017_20261120/H-00017_OS_1.png')
    await scene.see('H-00017_20261120/H-00017_OS_1.png')
    await scene.quiet()
    expect(scene.all()).toMatchObject([{ state: 'review', images: [{}, {}] }])
    scene.test.outbox.submissions.transition(id, 'gatheredIncomplete', {}, { at: 1 })
    await scene.intake.refreshAll()
    expect(scene.all().map(({ state }) => state)).toEqual(['review'])
    // Passed by a person, it is as any other.
    scene.test.outbox.submissions.transition(id, 'approved', {}, { at: 1 })
    await scene.write('H-00017_20261120/H-00017_OS_2.png')
    await scene.see('H-00017_20261120/H-00017_OS_2.png')
    await scene.quiet()
    expect(scene.all()).toMatchObject([{ state: 'waiting', images: [{}, {}, {}] }])
  })

  it('goes to a person again when an image joins of which only the name says whose it is', async () => {
    scene = intakeWith({ sendWithoutReview: true })
    await scene.watch()
    const images = { 'H-00017_OD_1.png': 'OD', 'H-00017_OS_1.png': 'OS', 'H-00017_OS_2.png': 'OS' }
    const [first, second, third] = Object.keys(images).map((name) => `H-00017_20261120/${name}`)
    await scene.write('H-00017_20261120/case.json', Buffer.from(JSON.stringify({ images })))
    for (const name of [first, second, third]) await scene.write(name ?? '')
    await scene.see('H-00017_20261120/case.json', first ?? '')
    const id = scene.all()[0]?.id ?? ''
    await update({ id, fields: { history_number: 'H-00017', visit_date: '2026-11-20' }, mayLeave: true })
    await scene.quiet()
    expect(scene.all()).toMatchObject([{ state: 'waiting', images: [{}] }])
    await scene.see(second ?? '')
    await scene.quiet()
    const inReview = { state: 'review', reasons: [{ kind: 'readFromNames' }], images: [{}, {}] }
    expect(scene.all()).toMatchObject([inReview])
    scene.test.outbox.submissions.transition(id, 'approved', {}, { at: 1 })
    expect(scene.all()).toMatchObject([{ state: 'waiting' }])
    await scene.see(third ?? '')
    await scene.quiet()
    expect(scene.all()).toMatchObject([{ ...inReview, images: [{}, {}, {}] }])
  })
})

it('quarantines an unreadable case that it meets while it refreshes many', async () => {
  scene = intakeWith()
  await scene.watch()
  const names = ['H-00017_OD_1.png', 'H-00018_OD_1.png']
  for (const name of names) await scene.write(name)
  await scene.see(...names)
  const damaged = scene.all()[0]?.id ?? ''
  scene.test.outbox.images.add({
    submissionId: damaged,
    folderPath: scene.camera,
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
  await scene.intake.refreshAll()
  expect(scene.test.outbox.quarantine.of(damaged)).toMatchObject({ unreadable: 'images.facts' })
  expect(scene.logger.lines).toEqual([])
})
