import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { detailsLine, valueName } from '../../../src-renderer/activity/activity.tsx'
import { auditQuery, isFiltered, NO_FILTER } from '../../../src-renderer/activity/activity-filters.tsx'
import { DAY } from '../../../src-shared/durations.ts'
import { referenceOf } from '../../../src-shared/reference.ts'
import { settingsSchema } from '../../../src-shared/settings.ts'
import { REASON_KINDS } from '../../../src-shared/submission.ts'
import { namesNow, privacy } from '../../../src-renderer/privacy/names.tsx'
import type { AuditEntry } from '../../../src-shared/alarms.ts'
import { speak } from '../speak.ts'

const [IMAGE, CASE, GONE] = [
  '97caed85-f9bf-4a5c-8f0e-000000000001',
  'f28de554-0000-4000-8000-000000000002',
  '0a8de554-0000-4000-8000-000000000003',
]
const NAMES = { [IMAGE]: 'visit/IMG1.jpg', [CASE]: 'H-00412' }
const lineOf = (details: AuditEntry['details']): string => detailsLine({ details, names: NAMES }, namesNow())

const REFERENCE = referenceOf(Uint8Array.of(1, 2, 3, 4, 5, 6, 7, 8))

describe('a filter', () => {
  it('of nothing, or of a day that is not finished yet, asks for all', () => {
    expect(isFiltered({ ...NO_FILTER, by: '  ' })).toBe(false)
    expect(auditQuery(NO_FILTER)).toEqual({})
    expect(auditQuery({ ...NO_FILTER, since: '2026-1' })).toEqual({})
  })

  it('includes the whole of its last day, also of a year', () => {
    const day = { since: '2026-12-31', until: '2026-12-31' }
    const { since = 0, until = 0 } = auditQuery({ ...NO_FILTER, ...day })
    expect(new Date(since).getHours()).toBe(0)
    // Not a day when clocks change in any zone.
    expect(until - since).toBe(DAY)
    expect(new Date(until).getFullYear()).toBe(2027)
  })

  it('names a group of words, and initials without blanks', () => {
    expect(auditQuery({ ...NO_FILTER, what: 'alarms', by: ' QX ' })).toEqual({
      what: ['alarmRaised', 'alarmSettled'],
      by: 'QX',
    })
  })

  it.each([
    [' FC7K3M9QXAW ', 'FC7K3M9QXAW'],
    ['88 390', '88390'],
    ['ab-1', 'ab-1'],
    // As it is read out over the telephone.
    [REFERENCE.toLowerCase(), REFERENCE],
  ])('asks for the case %j as %j', (reference, asked) => {
    expect(auditQuery({ ...NO_FILTER, reference })).toEqual({ reference: asked })
  })
})

it.each([
  [{}, ''],
  // The words of the entry say it.
  [{ from: 'review', to: 'waiting' }, ''],
  [{ from: '101', to: '102' }, 'from 101 \u00b7 to 102'],
  [{ from: null, to: '102' }, 'to 102'],
  [{ fields: [], images: 2, isUrgent: true, nothing: null }, 'images: 2'],
  [{ setRight: [IMAGE], setLeft: [], excluded: [] }, 'set IMG1.jpg to right eye'],
  [{ setUnknown: [IMAGE, GONE] }, 'set 2 to unknown eye'],
  [{ from: [CASE, GONE], images: 2 }, 'from H-00412 \u00b7 images: 2'],
  [{ into: GONE, profile: 'p1' }, ''],
])('has phrases for %j', (details, line) => {
  expect(lineOf(details)).toBe(line)
})

it('names no file while names are hidden', () => {
  privacy.setState({ isHiddenByHand: true })
  const hidden = detailsLine(
    { details: { setRight: [IMAGE] }, names: { [IMAGE]: 'visit/Mocksey_1.jpg' } },
    namesNow(),
  )
  privacy.setState({ isHiddenByHand: false })
  expect(hidden).not.toContain('Mocksey')
})

describe('an entry in the language of the screens', () => {
  beforeAll(() => speak('es'))
  afterAll(() => speak('en'))

  it.each([
    [{ fields: ['visit_reason', 'od_iop'], eyes: [] }, 'cambió Motivo de la visita, PIO, ojo derecho – OD'],
    [{ attempt: 2, outcome: 'unknown' }, 'intento 2 · sin confirmar'],
    [{ alarm: 'outboxRestored' }, 'Se restauró la bandeja de salida'],
    [{ failure: 'offline' }, 'Sin conexión'],
    [{ from: 'review', to: 'discarded', why: 'Blurred' }, 'Motivo: Blurred'],
    // What a person or the service wrote is never taken for a word of the program.
    [{ caseId: 'refused' }, 'ID de caso refused'],
    [{ why: 'refused' }, 'Motivo: refused'],
    [{ why: 'changedSincePassed' }, 'Motivo: modificado tras la aprobación'],
    [{ isListed: true, isPatientNumber: false }, 'número de paciente: No'],
    [{ setLeft: [IMAGE] }, 'asignó IMG1.jpg al ojo izquierdo'],
  ])('%j is shown in the language of the screens', (details, line) => {
    expect(lineOf(details)).toBe(line)
  })

  it('every reason and every part of the settings has its words', () => {
    expect(REASON_KINDS.filter((kind) => valueName('reasons', kind) === kind)).toEqual([])
    const parts = Object.keys(settingsSchema.shape)
    expect(parts.filter((name) => valueName('sections', name) === name)).toEqual([])
  })
})
