import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { detailsLine, valueName } from '../../../src-renderer/activity/activity.tsx'
import { auditQuery, isFiltered, NO_FILTER } from '../../../src-renderer/activity/activity-filters.tsx'
import { DAY } from '../../../src-shared/durations.ts'
import { referenceOf } from '../../../src-shared/reference.ts'
import { settingsSchema } from '../../../src-shared/settings.ts'
import { REASON_KINDS } from '../../../src-shared/submission.ts'
import { speak } from '../speak.ts'

const REFERENCE = referenceOf(Uint8Array.of(1, 2, 3, 4, 5, 6, 7, 8))

describe('a filter', () => {
  it('of nothing, or of a day that is not finished yet, asks for all', () => {
    expect(isFiltered({ ...NO_FILTER, by: '  ' })).toBe(false)
    expect(auditQuery(NO_FILTER, null)).toEqual({})
    expect(auditQuery({ ...NO_FILTER, since: '2026-1' }, null)).toEqual({})
  })

  it('includes the whole of its last day, also of a year', () => {
    const day = { since: '2026-12-31', until: '2026-12-31' }
    const { since = 0, until = 0 } = auditQuery({ ...NO_FILTER, ...day }, null)
    expect(new Date(since).getHours()).toBe(0)
    // Not a day when clocks change in any zone.
    expect(until - since).toBe(DAY)
    expect(new Date(until).getFullYear()).toBe(2027)
  })

  it('names a group of words, initials without blanks, and the case', () => {
    expect(auditQuery({ ...NO_FILTER, what: 'alarms', by: ' QX ' }, 's1')).toEqual({
      what: ['alarmRaised', 'alarmSettled'],
      by: 'QX',
      submissionId: 's1',
    })
  })

  it.each([
    [' FC7K3M9QXAW ', 'FC7K3M9QXAW'],
    ['88 390', '88390'],
    ['ab-1', 'ab-1'],
    // As it is read out over the telephone.
    [REFERENCE.toLowerCase(), REFERENCE],
  ])('asks for the case %j as %j', (reference, asked) => {
    expect(auditQuery({ ...NO_FILTER, reference }, null)).toEqual({ reference: asked })
  })
})

it.each([
  [{}, ''],
  [{ from: 'review', to: 'waiting' }, 'Ready to check \u203a Waiting'],
  [{ from: 'held', to: 'held' }, 'On hold'],
  [{ from: ['a', 'b'] }, 'from: a, b'],
  [{ from: null, to: '102' }, 'to: 102'],
  [{ fields: [], images: 2, isUrgent: true, nothing: null }, 'images: 2 \u00b7 is urgent: true'],
])('states the facts of %j', (details, line) => {
  expect(detailsLine(details)).toBe(line)
})

describe('an entry in the language of the screens', () => {
  beforeAll(() => speak('es'))
  afterAll(() => speak('en'))

  it.each([
    [{ fields: ['visit_reason', 'od_iop'], eyes: [] }, 'campos: Motivo de la visita, PIO, ojo derecho – OD'],
    [{ attempt: 2, outcome: 'unknown' }, 'intento: 2 · resultado: no se sabe'],
    [{ alarm: 'outboxRestored' }, 'alarma: Se restauró la bandeja de salida'],
    [{ failure: 'offline' }, 'fallo: Sin conexión'],
    [{ from: 'review', to: 'discarded', why: 'Blurred' }, 'Motivo: Blurred · Para revisar › Descartado'],
    // What a person or the service wrote is never taken for a word of the program.
    [{ caseId: 'refused' }, 'caso en el servicio: refused'],
    [{ isListed: true }, 'is listed: true'],
  ])('%j is shown in the language of the screens', (details, line) => {
    expect(detailsLine(details)).toBe(line)
  })

  it('every reason and every part of the settings has its words', () => {
    expect(REASON_KINDS.filter((kind) => valueName('reasons', kind) === kind)).toEqual([])
    const parts = Object.keys(settingsSchema.shape)
    expect(parts.filter((name) => valueName('sections', name) === name)).toEqual([])
  })
})
