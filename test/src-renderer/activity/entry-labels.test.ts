import { afterAll, beforeAll, expect, it } from 'vitest'
import { detailsLine } from '../../../src-renderer/activity/activity-filters.tsx'
import { detailLabels } from '../../../src-renderer/activity/activity.tsx'
import { settingsSchema } from '../../../src-shared/settings.ts'
import { REASON_KINDS } from '../../../src-shared/submission.ts'
import { speak } from '../speak.ts'

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
])('%j is told in the language of the screens', (details, line) => {
  expect(detailsLine(details, detailLabels())).toBe(line)
})

it('every reason and every part of the settings has its words', () => {
  const { value } = detailLabels()
  expect(REASON_KINDS.filter((kind) => value('reasons', kind) === kind)).toEqual([])
  expect(Object.keys(settingsSchema.shape).filter((name) => value('sections', name) === name)).toEqual([])
})
