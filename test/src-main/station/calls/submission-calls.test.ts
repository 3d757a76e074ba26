import { describe, expect, it } from 'vitest'
import { submissionCalls } from '../../../../src-main/station/calls/submissions.ts'
import type { Outbox } from '../../../../src-main/station/outbox/outbox.ts'
import { folderSettingsSchema } from '../../../../src-shared/folder-settings.ts'
import type { FieldChanges, Fields } from '../../../../src-shared/fields.ts'
import { MORNING, SERVICE, stateOf } from '../../../tools/outbox-with.ts'
import { addCase, COMPLETE, loseAnswer, partsWith, type TestParts, trailOf, caseIn } from './parts-with.ts'

describe('a case beside others of its day', () => {
  const neighbourOf = async (test: TestParts, id: string): Promise<unknown> => {
    const answer = await test.call('submissions.get', { id })
    return answer.ok && (answer.value as { readonly neighbour: unknown }).neighbour
  }
  const patient = (history_number: string, last_name: string, visit_date = '2026-11-20'): Fields => ({
    history_number,
    last_name,
    visit_date,
  })

  it('comes with the newest patient whose number is nearly its own, wherever that case is', async () => {
    const { test, id } = await caseIn('review', { fields: patient('501288', 'Testwood') })
    expect(await neighbourOf(test, id)).toBeNull()
    addCase(test, 'sent', { fields: patient('501289', 'Demoson') })
    addCase(test, 'review', { fields: patient('777123', 'Sampleton') })
    expect(await neighbourOf(test, id)).toEqual({ history_number: '501289', last_name: 'Demoson' })
    addCase(test, 'waiting', { fields: patient('50128', 'Fiktief') })
    expect(await neighbourOf(test, id)).toEqual({ history_number: '50128', last_name: 'Fiktief' })
  })

  it.each([
    ['of another day', 'review', patient('501289', 'Demoson', '2026-11-19')],
    ['of the same name', 'review', patient('501289', 'TESTWOOD')],
    ['of the same number', 'review', patient('501288', 'Demoson')],
    ['that was discarded', 'discarded', patient('501289', 'Demoson')],
    ['without a number', 'review', { last_name: 'Demoson', visit_date: '2026-11-20' }],
  ] as const)('comes with none %s', async (_which, state, fields) => {
    const { test, id } = await caseIn('review', { fields: patient('501288', 'Testwood') })
    addCase(test, state, { fields })
    expect(await neighbourOf(test, id)).toBeNull()
  })

  it('comes with none if a record proves its number', async () => {
    const { test, id } = await caseIn('review', { fields: patient('501288', 'Testwood') })
    addCase(test, 'review', { fields: patient('501289', 'Demoson') })
    expect(await neighbourOf(test, id)).not.toBeNull()
    const stored = test.outbox.detailsOf(id)!
    const who = { kind: 'proven' as const, by: ['sidecar' as const], why: null }
    test.outbox.setContent(id, { ...stored, verdict: { ...stored.verdict, who } }, MORNING)
    expect(await neighbourOf(test, id)).toBeNull()
  })

  it('needs a number of its own', async () => {
    const { test, id } = await caseIn('review', { fields: { visit_date: '2026-11-20' } })
    addCase(test, 'review', { fields: patient('501289', 'Demoson') })
    expect(await neighbourOf(test, id)).toBeNull()
  })
})

describe('an edit', () => {
  it("sets and clears fields as the person's own, which outweighs every source", async () => {
    const { test, id } = await caseIn('review', { fields: { history_number: 'H-1', age: 61 } })
    const fields = { gender: 0, age: null, first_name: 'Ada', visit_reason: '' }
    expect(await test.call('submissions.update', { id, fields })).toMatchObject({
      value: {
        state: 'review',
        fields: { history_number: 'H-1', gender: 0, first_name: 'Ada' },
        sources: { gender: 'person', age: 'person', first_name: 'person', visit_reason: 'person' },
      },
    })
    expect(test.outbox.submissionOf(id)?.fields).not.toHaveProperty('age')
  })

  it('assigns an image to an eye and excludes one with a reason', async () => {
    const { test, id } = await caseIn('review')
    const images = [{ id: test.outbox.imageRowsOf(id)[0]?.id, eye: 'left', excludedBecause: 'blurred' }]
    await test.call('submissions.update', { id, images })
    expect(test.outbox.submissionOf(id)).toMatchObject({
      state: 'incomplete',
      images: [{ eye: 'left', eyeSource: 'person', excludedBecause: 'blurred' }],
      reasons: [{ kind: 'noImages' }],
    })
  })

  it.each([
    ['to a person', false, {}, 'review'],
    ['into the queue if the folder sends without review', true, {}, 'waiting'],
    ['to a person while someone is still editing it', true, { mayLeave: false }, 'review'],
  ] as const)('that completes a case moves it %s', async (_where, sendWithoutReview, more, state) => {
    const test = await partsWith({
      folders: [folderSettingsSchema.parse({ path: '/exports', sendWithoutReview })],
    })
    const id = addCase(test, 'incomplete', { fields: {} })
    await test.call('submissions.update', { id, fields: { ...COMPLETE, history_number: 'H-2' }, ...more })
    expect(stateOf(test, id)).toBe(state)
  })

  it('leaves a refused case refused while someone is editing it, until they send it again', async () => {
    const { test, id } = await caseIn('refused')
    const failure = test.outbox.submissionOf(id)?.failure
    const change = (fields: FieldChanges) => test.call('submissions.update', { id, fields, mayLeave: false })
    await change({ history_number: null })
    expect(await test.call('submissions.retry', { ids: [id] })).toMatchObject({
      value: { refused: [{ failure: { message: expect.stringContaining('history number') as string } }] },
    })
    expect(test.outbox.submissionOf(id)).toMatchObject({ state: 'refused', failure })
    await change({ history_number: 'H-9' })
    expect(test.outbox.submissionOf(id)).toMatchObject({ state: 'refused', failure, reasons: [] })
    await test.call('submissions.retry', { ids: [id] })
    expect(test.outbox.submissionOf(id)).toMatchObject({ state: 'waiting', failure: null })
  })

  it('changes nothing if an image belongs to another case', async () => {
    const test = await partsWith()
    const [id, other] = [addCase(test, 'review'), addCase(test, 'review')]
    const foreignId = test.outbox.imageRowsOf(other)[0]?.id ?? ''
    const before = test.outbox.detailsOf(id)
    const images = [{ id: foreignId, eye: 'left' }]
    expect(await test.call('submissions.update', { id, fields: { age: 5 }, images })).toMatchObject({
      failure: { kind: 'notFound' },
    })
    expect(test.outbox.detailsOf(id)).toEqual(before)
    expect(test.outbox.imageById(foreignId)?.eye).toBe('right')
  })

  it.each(['sending', 'unconfirmed', 'sent', 'discarded'] as const)(
    'of a case that is %s is refused',
    async (state) => {
      const { test, id } = await caseIn(state)
      expect(await test.call('submissions.update', { id, fields: { age: 5 } })).toMatchObject({
        failure: { kind: 'notAllowed' },
      })
    },
  )
})

it.each(['submissions.get', 'submissions.update'] as const)(
  '%s knows no case of another id',
  async (call) => {
    const test = await partsWith()
    expect(await test.call(call, { id: 'none' })).toMatchObject({ failure: { kind: 'notFound' } })
  },
)

/** An unconfirmed case; the list before its attempt showed these cases. */
function unconfirmed(test: TestParts, caseIds: readonly string[] = []): string {
  const id = addCase(test, 'waiting')
  loseAnswer(test, id, caseIds)
  return id
}

async function unconfirmedCase(caseIds: readonly string[] = []) {
  const test = await partsWith()
  return { test, id: unconfirmed(test, caseIds) }
}

describe('the decision that a case did not arrive', () => {
  it('sends it again under the same reference, and records who, why and which attempt', async () => {
    const { test, id } = await unconfirmedCase()
    const reference = test.outbox.submissionOf(id)?.reference
    await test.call('submissions.resolve', { id, delivered: false, by: 'AB', why: 'asked by telephone' })
    expect(test.outbox.detailsOf(id)).toMatchObject({
      state: 'waiting',
      reference,
      notBefore: null,
      evidence: [{ kind: 'decision', caseIds: [], by: 'AB' }],
    })
    expect(trailOf(test, id)[0]).toMatchObject({
      what: 'provenAbsent',
      by: 'AB',
      details: { decision: 'notThere', why: 'asked by telephone', attempt: 1 },
    })
  })

  it.each([
    ['a person', 'review', () => undefined],
    ['unconfirmed if a later attempt is unresolved', 'unconfirmed', loseAnswer],
  ] as const)('leads it, discarded and restored, to %s', async (_where, state, meanwhile) => {
    const { test, id } = await unconfirmedCase()
    await test.call('submissions.resolve', { id, delivered: false })
    meanwhile(test, id)
    await test.call('submissions.discard', { ids: [id] })
    await test.call('submissions.restore', { ids: [id] })
    expect(stateOf(test, id)).toBe(state)
  })

  it.each<['review' | 'incomplete', Fields]>([
    ['review', COMPLETE],
    ['incomplete', {}],
  ])('leads one that was never approved to %s and not into the queue', async (state, fields) => {
    const { test, id } = await caseIn('collecting', { fields })
    test.outbox.markAllUnconfirmed('recovered', { service: SERVICE, at: MORNING })
    expect(stateOf(test, id)).toBe('unconfirmed')
    expect(await test.call('submissions.resolve', { id, delivered: false, by: 'AB' })).toMatchObject({
      value: { state },
    })
    const moves = trailOf(test, id).filter(({ what }) => what.startsWith('gatheredForReview'))
    expect(moves).toMatchObject([{ details: { from: 'waiting', why: 'neverPassed' } }])
    expect(trailOf(test, id).map(({ what }) => what)).not.toContain('approved')
    expect(test.outbox.dueSubmissions(MORNING + 1e9, 10)).toEqual([])
  })
})

describe('the decision that a case arrived', () => {
  it('binds it to its id, with the initials of the person', async () => {
    const { test, id } = await unconfirmedCase()
    const decision = { id, delivered: true, caseId: ' 77 ', by: 'AB', why: 'seen' }
    expect(await test.call('submissions.resolve', decision)).toMatchObject({
      value: { state: 'sent', caseId: '77', evidence: [{ kind: 'decision', caseIds: ['77'], by: 'AB' }] },
    })
    expect(trailOf(test, id)[0]).toMatchObject({
      what: 'foundDelivered',
      by: 'AB',
      details: { decision: 'there', caseId: '77', why: 'seen' },
    })
    expect(test.outbox.dueReportWatches(MORNING)).toMatchObject([{ case_id: '77' }])
  })

  it.each([
    ['nothing was proposed', [], false],
    ['the newest finding proposes one', ['sameIdentity'], true],
    ['the newest finding shows several', ['sameIdentity', 'several'], false],
    ['the newest finding is unclear', ['echoedReference', 'unclear'], false],
    ['a case is only new', ['unclear'], false],
    ['nothing could be read since one was proposed', ['sameIdentity', 'lookFailed'], true],
  ] as const)('needs no id only if one case is proposed: %s', async (_name, kinds, isProposed) => {
    const { test, id } = await unconfirmedCase()
    const attemptId = test.outbox.attemptsOf(id)[0]?.id ?? ''
    for (const kind of kinds) {
      const caseIds = kind === 'several' ? ['7', '8'] : kind === 'lookFailed' ? [] : ['7']
      const evidence = { submissionId: id, attemptId, at: MORNING, message: '', by: null }
      test.outbox.appendEvidence({ ...evidence, kind, caseIds })
    }
    const before = test.outbox.detailsOf(id)
    const blank = { id, delivered: true, caseId: '  ' }
    expect(await test.call('submissions.resolve', blank)).toMatchObject({ failure: { kind: 'badRequest' } })
    expect(await test.call('submissions.resolve', { id, delivered: true })).toMatchObject(
      isProposed ? { value: { state: 'sent', caseId: '7' } } : { failure: { kind: 'badRequest' } },
    )
    if (!isProposed) expect(test.outbox.detailsOf(id)).toEqual(before)
  })

  it('cannot name the case of another submission', async () => {
    const test = await partsWith()
    const [first, second] = [unconfirmed(test), unconfirmed(test)]
    await test.call('submissions.resolve', { id: first, delivered: true, caseId: '77' })
    const reference = test.outbox.submissionOf(first)?.reference ?? '-'
    expect(
      await test.call('submissions.resolve', { id: second, delivered: true, caseId: '77' }),
    ).toMatchObject({
      failure: { kind: 'notAllowed', message: expect.stringContaining(reference) as string },
    })
    expect(stateOf(test, second)).toBe('unconfirmed')
  })

  it('may name a case that was there before the second of two attempts', async () => {
    const { test, id } = await unconfirmedCase()
    await test.call('submissions.resolve', { id, delivered: false })
    loseAnswer(test, id, ['55'])
    expect(await test.call('submissions.resolve', { id, delivered: true, caseId: '55' })).toMatchObject({
      value: { state: 'sent', caseId: '55' },
    })
  })

  it('names a case that was there before only if the person insists after the objection: the service may number again', async () => {
    const { test, id } = await unconfirmedCase(['55', '56'])
    const resolve = (caseId: string, insists?: boolean) =>
      test.call('submissions.resolve', { id, delivered: true, caseId, by: 'AB', insists })
    const objection = {
      kind: 'notAllowed',
      message: expect.stringMatching(/before this one was sent.*same ID again/) as string,
      overruledBy: 'insists',
    }
    // Before any objection, the same call again, and the objection to another id: none of these insists.
    for (const [caseId, insists] of [
      ['55', true],
      ['55'],
      ['55', false],
      ['56', true],
      ['55', true],
    ] as const) {
      expect(await resolve(caseId, insists)).toMatchObject({ failure: objection })
      expect(stateOf(test, id)).toBe('unconfirmed')
    }
    expect(test.outbox.detailsOf(id)?.evidence).toEqual([])
    expect(await resolve('55', true)).toMatchObject({ value: { state: 'sent', caseId: '55' } })
    expect(trailOf(test, id)[0]).toMatchObject({
      what: 'foundDelivered',
      by: 'AB',
      details: { caseId: '55', isInsisted: true },
    })
  })
})

describe('a decision on an attempt', () => {
  it.each([true, false])('is refused unless the case is unconfirmed (arrived: %s)', async (delivered) => {
    const test = await partsWith()
    const ids = (['waiting', 'refused'] as const).map((state) => addCase(test, state))
    for (const id of ids)
      expect(await test.call('submissions.resolve', { id, delivered, caseId: '1' })).toMatchObject({
        ok: false,
      })
    expect(ids.map((id) => stateOf(test, id))).toEqual(['waiting', 'refused'])
  })

  it.each([
    [true, ['committed', 'wake reports', 'wake']],
    [false, ['committed', 'wake']],
  ])('wakes the delivery and the reports once it is committed (arrived: %s)', async (delivered, order) => {
    const { test, id } = await unconfirmedCase()
    test.done.length = 0
    const write: Outbox['write'] = (work) =>
      test.outbox.write(() => {
        const value = work()
        test.done.push('committed')
        return value
      })
    const calls = submissionCalls({ ...test.parts, outbox: { ...test.outbox, write } })
    await calls['submissions.resolve']({ id, delivered, caseId: '77' })
    expect(test.done).toEqual(order)
  })

  it('wakes no one if it cannot be committed', async () => {
    const { test, id } = await unconfirmedCase()
    test.done.length = 0
    const write: Outbox['write'] = (work) =>
      test.outbox.write(() => {
        work()
        throw new Error('the disk is full')
      })
    const calls = submissionCalls({ ...test.parts, outbox: { ...test.outbox, write } })
    expect(() => calls['submissions.resolve']({ id, delivered: false })).toThrow('the disk is full')
    expect([stateOf(test, id), test.done]).toEqual(['unconfirmed', []])
  })
})
