/** Marking the parts of a path: the draft that is shown, what it proposes, and what a confirmation needs all the same. */
import { describe, expect, it } from 'vitest'
import type { ConfirmedProfile } from '../../../../src-shared/confirmed-profile.ts'
import { stateOf } from '../../../tools/outbox-with.ts'
import { confirmOnly, eightVisits, EXPORTS, stationOfNames, visit } from './named-visits.ts'
import type { TestParts } from './parts-with.ts'

const PATTERN = '{historyNumber}_{date:YYYYMMDD}_{eye}'

const profilesIn = (test: TestParts) => test.call('profiles.offers', { path: EXPORTS })

describe('a marked path', () => {
  const marked = async (test: TestParts): Promise<ConfirmedProfile> => {
    const draft = await test.call('profiles.draft', { path: EXPORTS })
    if (!draft.ok || draft.value.shown === null || draft.value.file === null) throw new Error('no draft')
    const { file, pieces, shown } = draft.value
    const marks = pieces.flatMap(({ mark }) => mark ?? [])
    const answer = await test.call('profiles.mark', {
      path: EXPORTS,
      file,
      marks,
      key: shown.offer.key,
      by: 'AB',
    })
    if (!answer.ok) throw new Error(answer.failure.message)
    return answer.value.profile
  }

  it('is drawn with what it reads of the files of the folder', async () => {
    const test = await stationOfNames()
    visit(test, { patient: 1 })
    visit(test, { patient: 2 })
    expect(await test.call('profiles.draft', { path: EXPORTS })).toMatchObject({
      value: {
        problem: null,
        shown: {
          offer: { pattern: PATTERN, evidence: { visits: 0 } },
          preview: { notMatching: [], unclear: [] },
        },
      },
    })
  })

  it('proposes, is believed after eight approved visits and a confirmation, and not before', async () => {
    const test = await stationOfNames()
    visit(test, { patient: 1 })
    visit(test, { patient: 2 })
    const { id } = await marked(test)
    expect(await profilesIn(test)).toMatchObject({
      value: { profiles: [{ state: 'marked', waitingFor: 0 }] },
    })
    const early = visit(test, { patient: 3 })
    expect([stateOf(test, early), test.outbox.submissionOf(early)?.verdict.who]).toMatchObject([
      'review',
      { kind: 'proposed', why: 'firstReviews' },
    ])
    expect(test.parts.status().names).toEqual([])
    await eightVisits(test)
    expect(stateOf(test, visit(test, { patient: 8 }))).toBe('review')
    expect(await confirmOnly(test)).toBe(id)
    expect(await profilesIn(test)).toMatchObject({
      value: { profiles: [{ state: 'confirmed', profile: { proposes: false } }] },
    })
    expect(stateOf(test, visit(test, { patient: 9 }))).toBe('waiting')
    expect(test.outbox.listAudit({ what: ['profileMarked'], limit: 9 })).toMatchObject([
      { by: 'AB', details: { profile: id, pattern: PATTERN } },
    ])
  })

  it('proposes a day that the station alone does not read', async () => {
    const test = await stationOfNames({ dateOrder: 'dmy' })
    const nameOf = (number: string, day: string, eye: string): string =>
      `${number}_${day.slice(6)}-${day.slice(4, 6)}-${day.slice(0, 4)}_${eye}.jpg`
    const dayOf = (id: string) => test.outbox.submissionOf(id)?.verdict.day
    const before = visit(test, { patient: 1, nameOf })
    visit(test, { patient: 2, nameOf })
    expect(test.outbox.submissionOf(before)?.sources.visit_date).toBe('fileTime')
    await marked(test)
    const id = visit(test, { patient: 3, nameOf })
    expect([dayOf(before), dayOf(id)]).toMatchObject([
      { kind: 'proposed', why: 'firstReviews' },
      { kind: 'proposed', why: 'firstReviews' },
    ])
    expect(test.outbox.submissionOf(id)?.sources.visit_date).toBe('fileName')
  })

  it('is not stored if it is another one than was shown, and is dropped by a person', async () => {
    const test = await stationOfNames()
    visit(test, { patient: 1 })
    visit(test, { patient: 2 })
    const other = {
      path: EXPORTS,
      file: '100001_20261120_OD.jpg',
      marks: ['who', 'day', 'rest'],
      key: 'x',
      by: 'AB',
    }
    expect(await test.call('profiles.mark', other)).toMatchObject({ failure: { kind: 'changed' } })
    const { id } = await marked(test)
    const rests = visit(test, { patient: 3 })
    expect(await test.call('profiles.revoke', { path: EXPORTS, id, by: 'AB' })).toMatchObject({ ok: true })
    expect(await profilesIn(test)).toMatchObject({ value: { profiles: [] } })
    expect(test.outbox.submissionOf(rests)?.verdict.who).toMatchObject({ why: 'readFromNames' })
  })
})
