/** Two people under one number, once a person has separated them: neither keeps it before a person has said whose it is. */
import { describe, expect, it } from 'vitest'
import type { SubmissionDetails } from '../../../../src-shared/submission.ts'
import { addCase, COMPLETE, endAttempt, partsWith, type TestParts, trailOf } from './parts-with.ts'
import { caseOf, proofOf, type Stated, submissionOf } from './stated-cases.ts'

const asked = (test: TestParts, id: string): readonly string[] =>
  submissionOf(test, id).reasons.map(({ kind }) => kind)

const numberOf = (test: TestParts, id: string) => submissionOf(test, id).fields.history_number

async function separated(
  test: TestParts,
  images: Readonly<Record<string, Stated>>,
): Promise<readonly [first: string, second: string, ...further: string[]]> {
  const { id, imageIds } = caseOf(test, images)
  const answer = await test.call('submissions.separate', { id, groups: imageIds.map((one) => [one]) })
  if (!answer.ok) throw new Error(answer.failure.message)
  return answer.value.cases.map((one: SubmissionDetails) => one.id) as [string, string]
}

const pair = (number: string, one: Stated, other: Stated): Readonly<Record<string, Stated>> => ({
  'a/1.dcm': { number, eye: 'right', ...one },
  'a/2.dcm': { number, eye: 'left', ...other },
})

const HOLM = pair('70-4411', { lastName: 'Holm' }, { lastName: 'Testberg' })

async function assign(test: TestParts, id: string, isThis: boolean, number = '70-4411') {
  return test.call('submissions.assignNumber', { id, number, isThis, by: 'AB' })
}

async function approve(test: TestParts, id: string) {
  const answer = await test.call('submissions.approve', {
    ids: [id],
    seen: { [id]: submissionOf(test, id).digest },
  })
  return answer.ok ? answer.value.changed : []
}

describe('two people who are separated', () => {
  it.each<readonly [what: string, images: Readonly<Record<string, Stated>>]>([
    ['by their names', HOLM],
    ['by their sexes', pair('EX9001', { gender: 0 }, { gender: 1 })],
    ['under a number with a separator', pair('12/345', { lastName: 'Probe' }, { lastName: 'Fictor' })],
    [
      'although a person was sure of their images alone',
      pair('B-777', { lastName: 'Sample' }, { lastName: 'Sample' }),
    ],
  ])(
    '%s have one number no longer: each asks whose it is, and neither may be approved',
    async (_what, images) => {
      const test = await partsWith()
      for (const id of await separated(test, images)) {
        expect(submissionOf(test, id)).toMatchObject({
          state: 'incomplete',
          verdict: { who: { kind: 'disputed', why: 'sharedNumber' } },
        })
        expect(asked(test, id)).toEqual(['sharedNumber'])
        expect(await approve(test, id)).toEqual([])
      }
    },
  )

  it('asks nothing if their numbers differ, or if one of them has none', async () => {
    const test = await partsWith()
    for (const other of [{ number: '612004', lastName: 'Garcia' }, { lastName: 'Garcia' }]) {
      const ids = await separated(test, {
        'a/1.dcm': { number: '501288', lastName: 'Lopez', eye: 'right' },
        'a/2.dcm': { ...other, eye: 'left' },
      })
      for (const id of ids) expect(asked(test, id)).not.toContain('sharedNumber')
    }
  })

  it('asks nothing of two visits of one person that were split', async () => {
    const test = await partsWith()
    const { id, imageIds } = caseOf(test, pair('501288', { lastName: 'Lopez' }, { lastName: 'Lopez' }))
    const answer = await test.call('submissions.split', { id, imageIds: imageIds.slice(1) })
    expect(answer).toMatchObject({
      ok: true,
      value: { kept: { state: 'review' }, made: { state: 'review' } },
    })
  })

  it.each([
    ['this one', true],
    ['the other', false],
  ] as const)('is answered: %s keeps the number, and the other case needs its own', async (_what, isThis) => {
    const test = await partsWith()
    const [first, second] = await separated(test, HOLM)
    expect(await assign(test, first, isThis)).toMatchObject({ ok: true })
    const [owner, other] = isThis ? [first, second] : [second, first]
    expect([numberOf(test, owner), numberOf(test, other)]).toEqual(['70-4411', undefined])
    expect([asked(test, owner), asked(test, other)]).toEqual([[], ['fieldMissing']])
    expect(submissionOf(test, owner).state).toBe('review')
    // Its name is its own still.
    expect(submissionOf(test, other).fields.last_name).toBe(isThis ? 'Testberg' : 'Holm')
    const [line] = trailOf(test, other).filter(({ what }) => what === 'numberAssigned')
    expect(line).toMatchObject({ by: 'AB', details: { isOwn: false } })
    expect(JSON.stringify(line?.details)).not.toContain('4411')
  })

  it('asks both again if the number is typed into the other one after all, also if one waits already', async () => {
    const test = await partsWith()
    const [first, second] = await separated(test, HOLM)
    await assign(test, first, true)
    expect(await approve(test, first)).toEqual([first])
    for (const typed of ['70-4411', '704411']) {
      await test.call('submissions.update', { id: second, fields: { history_number: typed } })
      expect([asked(test, first), asked(test, second)]).toEqual([['sharedNumber'], ['sharedNumber']])
      expect(submissionOf(test, first).state).toBe('incomplete')
      await test.call('submissions.update', { id: second, fields: { history_number: '70-4412' } })
      expect([asked(test, first), asked(test, second)]).toEqual([[], []])
    }
  })

  it('asks as well if both had none and one number is typed into both', async () => {
    const test = await partsWith()
    const [first, second] = await separated(test, {
      'a/1.dcm': { lastName: 'Holm', eye: 'right' },
      'a/2.dcm': { lastName: 'Testberg', eye: 'left' },
    })
    for (const id of [first, second])
      await test.call('submissions.update', { id, fields: { history_number: 'N1' } })
    expect([asked(test, first), asked(test, second)]).toEqual([['sharedNumber'], ['sharedNumber']])
  })

  it('knows of three', async () => {
    const test = await partsWith()
    const ids = await separated(test, { ...HOLM, 'a/3.dcm': { number: '70-4411', lastName: 'Probe' } })
    expect(ids.map((id) => submissionOf(test, id).reasons[0]?.references)).toEqual(
      ids.map((id) => ids.filter((one) => one !== id).map((one) => submissionOf(test, one).reference)),
    )
    await assign(test, ids[2] ?? '', false)
    expect(ids.map((id) => asked(test, id)[0])).toEqual(['sharedNumber', 'sharedNumber', 'fieldMissing'])
    await assign(test, ids[1], true)
    expect(ids.map((id) => numberOf(test, id))).toEqual([undefined, '70-4411', undefined])
  })

  it('asks no more once a person says that they are of one patient after all', async () => {
    const test = await partsWith()
    const ids = await separated(test, HOLM)
    expect(await test.call('submissions.samePatient', { id: ids[1], by: 'AB' })).toMatchObject({ ok: true })
    for (const id of ids) expect(asked(test, id)).toEqual([])
  })

  it('asks no more once they are one case again', async () => {
    const test = await partsWith()
    const [first, second] = await separated(test, HOLM)
    await test.call('submissions.merge', { ids: [first, second] })
    expect(asked(test, first)).not.toContain('sharedNumber')
  })
})

describe('a case that was sent under the number', () => {
  it('names itself and the true source of the other name', async () => {
    const test = await partsWith()
    const sent = addCase(test, 'sent', {
      fields: { ...COMPLETE, history_number: '88-20', last_name: 'Probe' },
    })
    const { id } = caseOf(test, { 'IMG_1_OD.dcm': { number: '88-20', lastName: 'Fictor', eye: 'right' } })
    const { reference } = submissionOf(test, sent)
    expect(asked(test, id)).toContain('sharedNumber')
    expect((await proofOf(test, id)).who).toMatchObject({
      about: '88-20',
      statements: [
        { source: 'sentCase', where: reference, value: 'probe' },
        { source: 'dicom', where: 'IMG_1_OD.dcm', value: 'fictor' },
      ],
    })
    const [reason] = submissionOf(test, id).reasons
    expect(reason?.message).toContain(`sent case ${reference} says probe, DICOM says fictor`)
    expect(submissionOf(test, id).fields.last_name).toBe('Fictor')
    expect(test.outbox.openAlarms()).toEqual([])
    await assign(test, id, true, '88-20')
    expect(asked(test, id)).not.toContain('sharedNumber')
    expect(test.outbox.openAlarms()).toMatchObject([{ kind: 'contradicted', reference }])
  })

  it('keeps it: the other one asks until a person answers, whatever is typed', async () => {
    const test = await partsWith()
    const [first, second] = await separated(test, HOLM)
    await assign(test, first, true)
    await approve(test, first)
    endAttempt(test, first, 'delivered', 'deliveredNow', null)
    expect(submissionOf(test, first).state).toBe('sent')
    for (const typed of ['70-4411', '704411']) {
      await test.call('submissions.update', { id: second, fields: { history_number: typed } })
      expect(asked(test, second)).toEqual(['sharedNumber'])
    }
    expect(submissionOf(test, second).reasons[0]?.message).toContain('sent case')
    expect(await approve(test, second)).toEqual([])
    await assign(test, second, false)
    expect([numberOf(test, first), numberOf(test, second)]).toEqual(['70-4411', undefined])
    expect(test.outbox.openAlarms()).toEqual([])
  })

  it("raises an alarm if the number is the other one's, and is not changed", async () => {
    const test = await partsWith()
    const [first, second] = await separated(test, HOLM)
    await assign(test, first, true)
    await approve(test, first)
    endAttempt(test, first, 'delivered', 'deliveredNow', null)
    await test.call('submissions.update', { id: second, fields: { history_number: '70-4411' } })
    expect(await assign(test, second, true)).toMatchObject({ ok: true })
    expect(asked(test, second)).toEqual([])
    expect([numberOf(test, first), numberOf(test, second)]).toEqual(['70-4411', '70-4411'])
    expect(test.outbox.openAlarms()).toMatchObject([{ kind: 'contradicted', submissionId: first }])
  })

  it('asks nothing of its own patient, however the name is spelled', async () => {
    const test = await partsWith()
    addCase(test, 'sent', { fields: { ...COMPLETE, history_number: '88-20', last_name: 'M\u00fcller' } })
    const { id } = caseOf(test, { 'x.dcm': { number: '88-20', lastName: 'Mueller', eye: 'right' } })
    expect(asked(test, id)).toEqual([])
  })

  it.each([['while nothing is asked', { number: '812001', lastName: 'Moreno' } as const]])(
    'is refused %s',
    async (_what, stated) => {
      const test = await partsWith()
      const { id } = caseOf(test, { 'x.dcm': { ...stated, eye: 'right' } })
      expect(await assign(test, id, true, '812001')).toMatchObject({
        ok: false,
        failure: { kind: 'changed' },
      })
    },
  )

  it('is refused for what was not seen', async () => {
    const test = await partsWith()
    const [first] = await separated(test, HOLM)
    const seen = { patient: [], visitDay: [], eyes: {} }
    const answer = await test.call('submissions.assignNumber', {
      id: first,
      number: '70-4411',
      isThis: true,
      seen,
    })
    expect(answer).toMatchObject({ ok: false, failure: { kind: 'changed' } })
  })

  it.each<readonly [what: string, one: Stated, other: Stated, further: Stated]>([
    ['a birth date', { birthDate: '1957-03-11' }, { birthDate: '1981-06-05' }, { birthDate: '1990-12-01' }],
    ['a sex', { gender: 0 }, { gender: 1, birthDate: '1981-06-05' }, { gender: 1, birthDate: '1957-03-11' }],
  ])('is asked about beside %s that no case of it had, and each answer is for one case', async (...row) => {
    const test = await partsWith()
    const visit = (path: string, stated: Stated): string =>
      caseOf(test, { [path]: { number: '88-20', lastName: 'Probe', eye: 'right', ...stated } }).id
    const [, one, other, further] = row
    const sent = visit('1.dcm', one)
    await approve(test, sent)
    endAttempt(test, sent, 'delivered', 'deliveredNow', null)
    expect(asked(test, visit('2.dcm', one))).toEqual([])
    expect(asked(test, visit('3.dcm', {}))).toEqual([])
    const id = visit('4.dcm', other)
    expect([asked(test, id)[0], numberOf(test, id)]).toEqual(['sharedNumber', undefined])
    expect(await test.call('submissions.samePatient', { id, by: 'AB' })).toMatchObject({ ok: true })
    expect([asked(test, id), numberOf(test, id)]).toEqual([[], '88-20'])
    // By now the number has had both.
    expect(asked(test, visit('5.dcm', other))).toEqual([])
    expect(asked(test, visit('6.dcm', further))).toContain('sharedNumber')
  })
})
