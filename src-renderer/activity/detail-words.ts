/** What the details of the trail are called: the trail names them as the program does. Pure but for the language. */
import i18next from 'i18next'
import { alarmKindSchema } from '../../src-shared/alarm.ts'
import { FAILURE_TEXTS, failureKindSchema } from '../../src-shared/failure.ts'
import { FIELD_NAMES } from '../../src-shared/fields.ts'
import { SUBMISSION_STATES, type SubmissionState } from '../../src-shared/states.ts'
import type { Words } from '../words/english.ts'
import { fieldLabel } from '../words/field-label.ts'
import { said } from '../words/said.ts'
import { t } from '../words/t.ts'
import type { DetailLabels } from './activity-filter.ts'

type Name = keyof Words['activity']['detail']
type Code = keyof Words['activity']['code']

/** Details whose values are words of the program; in all others a person or the service may have written. */
const CODED = new Set(['decision', 'existing', 'noImageBecause', 'outcome', 'reasons', 'sections'])

/** The words of the details in the language of the screens. */
export function detailLabels(): DetailLabels {
  return {
    why: t('activity:why'),
    state: stateName,
    move: (from, to) => `${stateName(from)} \u203a ${stateName(to)}`,
    name: (name) => (isName(name) ? t(`activity:detail.${name}`) : splitCamelCase(name)),
    value: valueName,
  }
}

function isName(name: string): name is Name {
  return i18next.exists(`activity:detail.${name}`)
}

function isCode(value: string): value is Code {
  return i18next.exists(`activity:code.${value}`)
}

/** `isListed` as `is listed`: what nobody has named yet can still be read. */
function splitCamelCase(name: string): string {
  return name.replaceAll(
    /([a-z])([A-Z])/g,
    (_all, end: string, start: string) => `${end} ${start.toLowerCase()}`,
  )
}

/** The trail writes states by their names in the program. */
function stateName(name: string): string {
  const state = SUBMISSION_STATES.find((one): one is SubmissionState => one === name)
  return state ? t(`state:${state}.name`) : name
}

/** Fields, failures, alarms and causes by what people call them. */
function valueName(name: string, value: string): string {
  const field = FIELD_NAMES.find((one) => one === value)
  if (name === 'fields' && field) return fieldLabel(field)
  const failure = failureKindSchema.safeParse(value)
  if (name === 'failure' && failure.success) return said(FAILURE_TEXTS[failure.data].title)
  const alarm = alarmKindSchema.safeParse(value)
  if (name === 'alarm' && alarm.success) return t(`alarm:kind.${alarm.data}`)
  return CODED.has(name) && isCode(value) ? t(`activity:code.${value}`) : value
}
