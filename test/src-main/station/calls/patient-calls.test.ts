/** The answers of a person about the patients of a case, and what is shown to be answered. */
import { describe, expect, it } from 'vitest'
import { identityColumn } from '../../../../src-main/station/json-columns.ts'
import type { SubmissionDetails } from '../../../../src-shared/submission.ts'
import { addImage, caseOf, proofOf, submissionOf, TWO } from './stated-cases.ts'
import { addCase, follow, loseAnswer, openAttempt, partsWith, type TestParts, trailOf } from './parts-with.ts'

const asked = (test: TestParts, id: string): readonly string[] =>
  submissionOf(test, id).reasons.map(({ kind }) => kind)

describe('the proof of a case', () => {
  it('shows the images of each patient with what they state', async () => {
    const test = await partsWith()
    const { id, imageIds } = caseOf(test, TWO)
    const { who, groups, eyes } = await proofOf(test, id)
    expect(who.kind).toBe('disputed')
    expect(groups.map((group) => group.imageIds)).toEqual(imageIds.map((imageId) => [imageId]))
    expect(groups.map(({ statements }) => statements.map(({ value }) => value))).toEqual([
      expect.arrayContaining(['501288', 'Lopez']),
      expect.arrayContaining(['612004', 'Garcia']),
    ])
    expect(groups.map(({ person }) => person)).toEqual(['501288 Lopez', '612004 Garcia'])
    const [first] = test.outbox.imageRowsOf(id)
    expect(groups[0]?.takenAt).toEqual([first?.mtime_ms])
    expect(eyes[imageIds[0] ?? '']).toMatchObject({ kind: 'proven', statements: [{ value: 'right' }] })
  })

  it('is of one group only if nothing is doubted, and is answered for a case that exists', async () => {
    const test = await partsWith()
    const { id } = caseOf(test, { 'x/1.dcm': TWO['x/1.dcm'] })
    expect(await proofOf(test, id)).toMatchObject({ who: { kind: 'proven' }, groups: [], joinable: [] })
  })

  it.each([
    '["loose","","2026-11-20"]',
    '["folder","smith","2026-11-20"]',
    '["study","2.25.9","2026-11-20"]',
  ])('offers the case of the same burst and %s whose number a person entered', async (key) => {
    const test = await partsWith()
    const [entered, later] = [
      caseOf(test, { 'IMG_1.dcm': { eye: 'right' } }, { history_number: '700001' }),
      caseOf(test, { 'IMG_2.dcm': { eye: 'left' } }),
    ]
    const other = caseOf(test, { 'IMG_3.dcm': { eye: 'left' } })
    for (const { id } of [entered, later, other]) test.outbox.addGroupKey(id, '/exports', key)
    expect((await proofOf(test, later.id)).joinable).toEqual([
      {
        id: entered.id,
        reference: submissionOf(test, entered.id).reference,
        digest: submissionOf(test, entered.id).digest,
        historyNumber: '700001',
      },
    ])
    expect((await proofOf(test, entered.id)).joinable).toEqual([])
  })
})

describe('a number that a person enters', () => {
  it('does not answer whether the images are of two patients', async () => {
    const test = await partsWith()
    const { id } = caseOf(test, TWO)
    expect(asked(test, id)).toContain('twoPatients')
    await test.call('submissions.update', { id, fields: { history_number: '501288' } })
    expect(asked(test, id)).toContain('twoPatients')
    expect(submissionOf(test, id)).toMatchObject({
      state: 'incomplete',
      verdict: { who: { kind: 'disputed' } },
    })
    // Nor is a name filled in that may be the other patient's.
    expect(submissionOf(test, id).fields).not.toHaveProperty('last_name')
  })

  it('does not answer of how many patients images without a number are', async () => {
    const test = await partsWith()
    const images = Object.fromEntries(
      (['right', 'left', 'right', 'left'] as const).map((eye, at) => [`IMG_${at}.dcm`, { eye }]),
    )
    const { id } = caseOf(test, images)
    await test.call('submissions.update', { id, fields: { history_number: '501288' } })
    expect(asked(test, id)).toContain('howManyPatients')
    await test.call('submissions.samePatient', { id, by: 'AB' })
    expect(asked(test, id)).not.toContain('howManyPatients')
    // Another image was not among those that the person saw.
    addImage(test, id, 'IMG_9.dcm', { eye: 'right' })
    test.refresh(id)
    expect(asked(test, id)).toContain('howManyPatients')
  })
})

describe('separating', () => {
  const separated = async (
    test: TestParts,
    id: string,
    groups: readonly (readonly string[])[],
  ): Promise<readonly SubmissionDetails[]> => {
    const answer = await test.call('submissions.separate', { id, groups, by: 'AB', why: 'two people' })
    if (!answer.ok) throw new Error(answer.failure.message)
    return answer.value.cases
  }

  it('makes a case of each further group, read from its own files, and all are grouped by a person', async () => {
    const test = await partsWith()
    const { id, imageIds } = caseOf(test, TWO)
    const [one = '', other = ''] = imageIds
    const [kept, made] = await separated(test, id, [[one], [other]])
    expect(kept).toMatchObject({ id, state: 'review', fields: { history_number: '501288' } })
    expect(made).toMatchObject({ state: 'review', fields: { history_number: '612004' } })
    expect([kept, made].map((each) => each?.images.map((image) => image.id))).toEqual([[one], [other]])
    for (const each of [kept, made]) expect(test.outbox.rowOf(each?.id ?? '')?.grouped_by).toBe('person')
  })

  it('holds for what is split off, and for the case that takes all images', async () => {
    const test = await partsWith()
    const { id, imageIds } = caseOf(test, {
      ...TWO,
      'x/3.dcm': TWO['x/1.dcm'],
      'x/4.dcm': TWO['x/2.dcm'],
    })
    const [one = '', two = '', three = '', four = ''] = imageIds
    const [kept, made] = await separated(test, id, [
      [one, three],
      [two, four],
    ])
    const [first, second] = [kept?.id ?? '', made?.id ?? '']
    const separatedFrom = (of: string): readonly string[] =>
      identityColumn.read(test.outbox.rowOf(of)?.identity ?? '{}').separatedFrom ?? []
    const images = (of: string): readonly string[] => test.outbox.imageRowsOf(of).map((image) => image.id)
    const split = await test.call('submissions.split', {
      id: first,
      imageIds: images(first).slice(1),
      by: 'AB',
    })
    const part = split.ok ? split.value.made.id : ''
    expect([separatedFrom(part), separatedFrom(second).toSorted()]).toEqual([
      [second],
      [first, part].toSorted(),
    ])
    const other = addCase(test, 'review')
    await test.call('submissions.moveImages', { imageIds: images(second), toId: other, by: 'AB' })
    expect(separatedFrom(other).toSorted()).toEqual([first, part].toSorted())
    expect(separatedFrom(first)).toContain(other)
  })

  it('leaves what a person entered with no side, and names it in the trail without its value', async () => {
    const test = await partsWith()
    const { id, imageIds } = caseOf(test, TWO, { history_number: '501288', last_name: 'Lopez', od_iop: 14 })
    const [one = '', other = ''] = imageIds
    const [kept, made] = await separated(test, id, [[one], [other]])
    for (const each of [kept, made]) {
      expect(each?.fields).not.toHaveProperty('od_iop')
      expect(Object.values(each?.sources ?? {})).not.toContain('person')
    }
    const [mine] = trailOf(test, id).filter(({ what }) => what === 'separated')
    expect(mine).toMatchObject({
      by: 'AB',
      details: {
        cleared: expect.arrayContaining(['history_number', 'last_name', 'od_iop']),
        into: [made?.id],
        why: 'two people',
      },
    })
    expect(JSON.stringify(mine)).not.toMatch(/501288|Lopez/)
    expect(trailOf(test, made?.id ?? '')).toContainEqual(
      expect.objectContaining({
        what: 'separatedFrom',
        by: 'AB',
        details: expect.objectContaining({ from: id }),
      }),
    )
  })

  it('moves images with their other files, their eyes and why they are left out', async () => {
    const test = await partsWith()
    const { id, imageIds } = caseOf(test, TWO)
    const [one = '', other = ''] = imageIds
    const twin = addImage(test, id, 'x/3.dcm')
    test.outbox.setTwinOf(twin, other)
    await test.call('submissions.update', {
      id,
      images: [{ id: other, eye: 'right', excludedBecause: 'blurred' }],
    })
    const [, made] = await separated(test, id, [[one], [other]])
    expect(made?.images).toMatchObject([
      { id: other, eye: 'right', eyeSource: 'person', excludedBecause: 'blurred' },
      { id: twin, twinOf: other },
    ])
  })

  it.each<readonly [string, (one: string, other: string, twin: string) => readonly (readonly string[])[]]>([
    ['an image of another case', (one) => [[one], ['none']]],
    ['an image in two groups', (one, other) => [[one, other], [other]]],
    ['two files of one photograph in two groups', (_one, other, twin) => [[other], [twin]]],
  ])('is refused for %s', async (_what, groupsOf) => {
    const test = await partsWith()
    const { id, imageIds } = caseOf(test, TWO)
    const [one = '', other = ''] = imageIds
    const twin = addImage(test, id, 'x/3.dcm')
    test.outbox.setTwinOf(twin, other)
    const groups = groupsOf(one, other, twin)
    expect(await test.call('submissions.separate', { id, groups })).toMatchObject({ ok: false })
    expect(test.outbox.imageRowsOf(id)).toHaveLength(3)
  })

  it.each<readonly [string, (test: TestParts, id: string) => unknown]>([
    ['is on its way', (test, id) => openAttempt(test, id)],
    ['may have arrived', (test, id) => loseAnswer(test, id)],
  ])('and "same patient" are refused for a case that %s', async (_what, begin) => {
    const test = await partsWith()
    const { id, imageIds } = caseOf(test, TWO)
    follow(test, id, 'approved')
    begin(test, id)
    const groups = imageIds.map((imageId) => [imageId])
    for (const answer of [
      await test.call('submissions.separate', { id, groups }),
      await test.call('submissions.samePatient', { id }),
    ])
      expect(answer).toMatchObject({ ok: false, failure: { kind: 'notAllowed' } })
    expect(test.outbox.imageRowsOf(id)).toHaveLength(2)
  })
})

describe('"same patient"', () => {
  it('settles the question for both numbers and names, here and at the next visit', async () => {
    const test = await partsWith()
    const { id } = caseOf(test, TWO)
    await test.call('submissions.samePatient', { id, by: 'AB' })
    expect(asked(test, id)).not.toContain('twoPatients')
    expect(trailOf(test, id).some(({ what, by }) => what === 'samePatient' && by === 'AB')).toBe(true)
    const next = caseOf(test, { 'y/8.dcm': TWO['x/1.dcm'], 'y/9.dcm': TWO['x/2.dcm'] })
    expect(asked(test, next.id)).not.toContain('twoPatients')
  })

  const PERSON = { number: '501288', lastName: 'Vidal', eye: 'right' } as const
  const TWIN = { number: '501288', lastName: 'Serra', eye: 'left' } as const
  const verdictOf = (test: TestParts, id: string): unknown => submissionOf(test, id).verdict.who

  it('is shown each time with the initials, and can be taken back', async () => {
    const test = await partsWith()
    const pair = (folder: string) => caseOf(test, { [`${folder}/1.dcm`]: PERSON, [`${folder}/2.dcm`]: TWIN })
    await test.call('submissions.samePatient', { id: pair('x').id, by: 'AB' })
    const next = pair('y')
    expect(asked(test, next.id)).not.toContain('twoPatients')
    expect(verdictOf(test, next.id)).toMatchObject({ kind: 'proposed', why: 'savedAnswer' })
    expect((await proofOf(test, next.id)).who.about).toBe('Vidal = Serra (AB)')
    await test.call('submissions.samePatient', { id: next.id, answer: 'forget', by: 'CD' })
    expect(asked(test, next.id)).toContain('twoPatients')
    expect(asked(test, pair('z').id)).toContain('twoPatients')
  })

  it.each([
    ['sexes', { gender: 0 }, { gender: 1 }, []],
    ['birth dates', { birthDate: '1957-03-11' }, { birthDate: '1957-11-03' }, []],
    ['sexes, under one name', { gender: 0 }, { gender: 1, lastName: 'Vidal' }, []],
    ['neither', { gender: 1, birthDate: '1957-03-11' }, { gender: 1 }, [expect.anything()]],
  ] as const)('is never kept across %s', async (_what, one, other, kept) => {
    const test = await partsWith()
    const { id } = caseOf(test, { 'x/1.dcm': { ...PERSON, ...one }, 'x/2.dcm': { ...TWIN, ...other } })
    await test.call('submissions.samePatient', { id, by: 'AB' })
    expect(test.outbox.samePatientsIn('/exports')).toEqual(kept)
  })

  it('hides no third number and no third name', async () => {
    const test = await partsWith()
    const { id } = caseOf(test, TWO)
    await test.call('submissions.samePatient', { id })
    for (const third of [
      { number: '733001', lastName: 'Lopez' },
      { number: '501288', lastName: 'Moreno' },
    ]) {
      const next = caseOf(test, { 'y/8.dcm': TWO['x/1.dcm'], 'y/9.dcm': { ...third, eye: 'left' } })
      expect(asked(test, next.id)).toContain('twoPatients')
    }
  })

  it('without any name is kept for this case alone', async () => {
    const test = await partsWith()
    const nameless = {
      'x/1.dcm': { number: '501288', gender: 0, eye: 'right' },
      'x/2.dcm': { number: '501288', gender: 1, eye: 'left' },
    } as const
    const [first, second] = [caseOf(test, nameless), caseOf(test, nameless)]
    await test.call('submissions.samePatient', { id: first.id })
    await test.clock.settle()
    expect([first, second].map(({ id }) => asked(test, id).includes('twoPatients'))).toEqual([false, true])
    expect(test.outbox.samePatientsIn('/exports')).toEqual([])
  })

  it('holds no more once the images are separated, whatever else is of one patient', async () => {
    const test = await partsWith()
    const other = caseOf(test, {
      'z/1.dcm': { number: '812001', lastName: 'Moreno' },
      'z/2.dcm': { number: '812002', lastName: 'Moreno Diaz' },
    })
    await test.call('submissions.samePatient', { id: other.id })
    const [first, second] = [caseOf(test, TWO), caseOf(test, TWO)]
    await test.call('submissions.samePatient', { id: first.id })
    await test.clock.settle()
    expect(asked(test, second.id)).not.toContain('twoPatients')
    const groups = first.imageIds.map((imageId) => [imageId])
    expect(await test.call('submissions.separate', { id: first.id, groups })).toMatchObject({ ok: true })
    await test.clock.settle()
    expect(asked(test, second.id)).toContain('twoPatients')
    expect(test.outbox.samePatientsIn('/exports')).toEqual([
      { one: '812001', other: '812002' },
      { one: 'diaz moreno', other: 'moreno' },
    ])
  })

  it('reads the other open cases of the folder again', async () => {
    const test = await partsWith()
    const [first, second] = [caseOf(test, TWO), caseOf(test, TWO)]
    await test.call('submissions.samePatient', { id: first.id })
    await test.clock.settle()
    expect(asked(test, second.id)).not.toContain('twoPatients')
  })
})

describe('the answer whether a number is a patient number', () => {
  const withSecond = (test: TestParts, second: string, number = 'H-00017') =>
    caseOf(test, { [`${number}/EX ${second}/1.dcm`]: { number, eye: 'right' } })
  const standing = (test: TestParts, id: string): unknown => submissionOf(test, id).verdict.who

  it('is kept for the folder: no', async () => {
    const test = await partsWith()
    const { id } = withSecond(test, '88123')
    expect(standing(test, id)).toMatchObject({ kind: 'proposed', why: 'secondNumber' })
    const beside = withSecond(test, '88123', 'H-00018')
    await test.call('submissions.answerNumber', { id, number: '88123', isPatientNumber: false, by: 'AB' })
    await test.clock.settle()
    expect([standing(test, id), standing(test, beside.id)]).toMatchObject([
      { kind: 'proven' },
      { kind: 'proven' },
    ])
    // Numbers of this shape are none, either.
    expect(standing(test, withSecond(test, '90001').id)).toMatchObject({ kind: 'proven' })
    const [line] = trailOf(test, id).filter(({ what }) => what === 'numberAnswered')
    expect(line).toMatchObject({ by: 'AB', details: { isPatientNumber: false } })
    expect(JSON.stringify(line)).not.toContain('88123')
  })

  it('is kept for the folder: yes, and may be changed', async () => {
    const test = await partsWith()
    const { id } = withSecond(test, '88123')
    await test.call('submissions.answerNumber', { id, number: '88123', isPatientNumber: true })
    expect(submissionOf(test, id).state).toBe('incomplete')
    expect(standing(test, id)).toMatchObject({ kind: 'disputed' })
    await test.call('submissions.answerNumber', { id, number: '88123', isPatientNumber: false })
    expect(standing(test, id)).toMatchObject({ kind: 'proven' })
  })

  it('says nothing about other numbers of the shape that ids have here', async () => {
    const test = await partsWith()
    test.outbox.learnShape('/exports', '99999')
    const { id } = withSecond(test, '88123')
    await test.call('submissions.answerNumber', { id, number: '88123', isPatientNumber: false })
    expect(standing(test, withSecond(test, '90001').id)).not.toMatchObject({ kind: 'proven' })
  })
})

it('what a person groups is noted image by image', async () => {
  const test = await partsWith()
  const { id, imageIds } = caseOf(test, TWO)
  await test.call('submissions.samePatient', { id })
  const { settled } = identityColumn.read(test.outbox.rowOf(id)?.identity ?? '')
  expect(settled?.together?.statements).toEqual(imageIds)
})
