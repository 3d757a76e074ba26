/** The measurements of both eyes, with notes on unusual ones, which never block a case. */
import { NativeSelect, Stack, TextInput } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { flushSync } from 'react-dom'
import {
  EYE_PREFIXES,
  type Measurement,
  type MeasurementField,
  MEASUREMENTS,
} from '../../src-shared/fields.ts'
import {
  type EyesDiffering,
  eyesDifferingIn,
  isInRange,
  usualRangeOf,
  type VaUnit,
} from '../../src-shared/measurement-ranges.ts'
import { SmallButton } from '../components/controls.tsx'
import {
  BASE_DIRECTIONS,
  type BaseDirection,
  degreesOfBase,
  directionOfBase,
  missedStepOf,
  readTypedAcuity,
} from '../format/numbers.ts'
import { fieldLabel, t } from '../i18n/i18n.ts'
import { Block, ConflictNote, Problem } from './field-input.tsx'
import { elementId, focusField, measurementText, type OpenCase, readField, useCase } from './form.ts'
import eyeCss from '../components/eye-choice.module.css'
import css from './measurements.module.css'

type Prefix = (typeof EYE_PREFIXES)[number]

/** The measurements that are shown, from above. */
type RowsProps = { readonly rows: readonly Measurement[] }

const EYE_OF = { od: 'right', os: 'left' } as const

/** The measurements of one eye as typed. */
type EyeValues = Readonly<Partial<Record<Measurement, number>>>

type MeasurementNote =
  | { readonly kind: 'unusual'; readonly min: number; readonly max: number }
  | { readonly kind: 'high' }
  | { readonly kind: 'offStep'; readonly step: number }
  | { readonly kind: 'axisMissing' | 'axisAlone' | 'baseMissing' | 'baseAlone' }
  | { readonly kind: 'differ'; readonly what: EyesDiffering }

/** From this pressure on, guidelines recommend referral (NICE NG81). */
const HIGH_PRESSURE = 24

/** The most important note on a field; null if there is none. */
export function noteOn(
  measurement: Measurement,
  own: EyeValues,
  other: EyeValues,
  vaUnit: VaUnit,
): MeasurementNote | null {
  const value = own[measurement]
  const half = missingHalf(measurement, own)
  if (half) return { kind: half }
  if (value === undefined) return null
  if (measurement === 'iop' && value >= HIGH_PRESSURE) return { kind: 'high' }
  const usual = usualRangeOf(measurement, vaUnit)
  if (!isInRange(value, usual)) return { kind: 'unusual', ...usual }
  const difference = differing(measurement, own, other)
  if (difference) return { kind: 'differ', what: difference }
  const step = missedStepOf(measurement, value)
  return step === null ? null : { kind: 'offStep', step }
}

/** An axis needs a cylinder, a base a prism, and each of these its second half. */
function missingHalf(measurement: Measurement, own: EyeValues) {
  if (measurement !== 'axis' && measurement !== 'prism_base') return null
  const isThere = own[measurement] !== undefined
  const isNeeded = (own[measurement === 'axis' ? 'cylinder' : 'prism'] ?? 0) !== 0
  if (isThere === isNeeded) return null
  return `${measurement === 'axis' ? 'axis' : 'base'}${isThere ? 'Alone' : 'Missing'}` as const
}

/** The difference between the eyes, whichever eye is which. */
function differing(measurement: Measurement, own: EyeValues, other: EyeValues): EyesDiffering | null {
  if (measurement !== 'sphere' && measurement !== 'iop') return null
  const values = { [`od_${measurement}`]: own[measurement], [`os_${measurement}`]: other[measurement] }
  return eyesDifferingIn(values)[0] ?? null
}

function MeasurementNoteText({ note }: { readonly note: MeasurementNote }) {
  const isSubtle = note.kind === 'offStep' || note.kind === 'axisAlone' || note.kind === 'baseAlone'
  return (
    <span className={css.note} data-quiet={isSubtle}>
      {note.kind === 'differ' ? t(`measure:differ.${note.what}`) : t(`measure:${note.kind}`, note)}
    </span>
  )
}

function eyeValuesOf(prefix: Prefix, { value }: Pick<OpenCase, 'value'>): EyeValues {
  return Object.fromEntries(
    MEASUREMENTS.flatMap((measurement) => {
      const one = value(`${prefix}_${measurement}`)
      return typeof one === 'number' ? [[measurement, one]] : []
    }),
  )
}

type Converted = { readonly typed: string; readonly value: number }

type MeasurementInputProps = { readonly prefix: Prefix; readonly measurement: Measurement }

/** One measurement of one eye: accepts any notation, and shows the parsed value. */
function MeasurementInput({ prefix, measurement }: MeasurementInputProps) {
  const fields = useCase()
  const [converted, setConverted] = useState<Converted | null>(null)
  const name: MeasurementField = `${prefix}_${measurement}`
  const { vaUnit } = fields.clinical
  const text = fields.text(name)
  const value = fields.value(name)
  const problem = fields.problem(name)
  const own = eyeValuesOf(prefix, fields)
  // Differences between the eyes are noted once, at the second eye.
  const note = noteOn(measurement, own, prefix === 'od' ? {} : eyeValuesOf('od', fields), vaUnit)
  const acuity = measurement === 'va' ? readTypedAcuity(text, vaUnit) : null
  const echo =
    acuity?.kind === 'number' && acuity.wasConverted
      ? { typed: text.trim(), value: acuity.value }
      : converted !== null && converted.value === value
        ? converted
        : null

  /** Shows the parsed value, so that a slip such as a lost sign is visible. */
  const showUnderstood = (): void => {
    const read = readField(name, text, vaUnit)
    if (read.kind !== 'value' || typeof read.value !== 'number') return
    const understood = measurementText(measurement, read.value, vaUnit)
    if (understood === text) return
    if (acuity !== null) setConverted(echo)
    fields.write(name, understood)
  }
  const unit =
    measurement === 'va' ? t(`measure:acuity.unit.${vaUnit}`) : t(`field:measurement.${measurement}.unit`)
  const isUnitShown = measurement !== 'va' || vaUnit === 'decimal'
  return (
    <div className={css.cell}>
      <TextInput
        // A base has its choice of directions above, which has the id.
        id={measurement === 'prism_base' ? undefined : elementId('field', name)}
        size="sm"
        aria-label={`${fieldLabel(name)}, ${unit}`}
        value={text}
        readOnly={fields.isFrozen}
        inputMode={measurement === 'va' ? 'text' : 'decimal'}
        autoComplete="off"
        rightSection={isUnitShown && <span className="small dim">{unit}</span>}
        rightSectionWidth={measurement === 'va' ? 66 : 56}
        rightSectionPointerEvents="none"
        inputWrapperOrder={['input', 'description', 'error']}
        description={
          (echo !== null || note !== null) && (
            <>
              {echo !== null && <span className={css.echo}>{t(`measure:acuity.${vaUnit}`, echo)}</span>}
              {problem === null && note !== null && <MeasurementNoteText note={note} />}
            </>
          )
        }
        descriptionProps={{ component: 'div' }}
        error={problem !== null && <Problem message={problem} />}
        errorProps={{ component: 'div' }}
        onChange={(event) => fields.write(name, event.currentTarget.value)}
        onBlur={showUnderstood}
      />
      <ConflictNote name={name} />
    </div>
  )
}

type Choice = BaseDirection | 'none' | 'other'

/** A direction as people call it, or any other angle. */
function PrismBaseInput({ prefix }: { readonly prefix: Prefix }) {
  const fields = useCase()
  const name: MeasurementField = `${prefix}_prism_base`
  const eye = EYE_OF[prefix]
  const { vaUnit, prismBase } = fields.clinical
  const value = fields.value(name)
  const direction = typeof value === 'number' ? directionOfBase(eye, value, prismBase) : null
  const [wantsAngle, setWantsAngle] = useState(false)
  const isAngle = wantsAngle || (fields.text(name) !== '' && direction === null)
  const choice: Choice = isAngle ? 'other' : (direction ?? 'none')
  const note = noteOn('prism_base', eyeValuesOf(prefix, fields), {}, vaUnit)
  const problem = fields.problem(name)
  const choose = (next: Choice): void => {
    setWantsAngle(next === 'other')
    if (next === 'none') fields.write(name, '')
    else if (next !== 'other') fields.write(name, String(degreesOfBase(eye, next, prismBase)))
  }
  return (
    <Stack gap={4}>
      <NativeSelect
        id={elementId('field', name)}
        size="sm"
        aria-label={fieldLabel(name)}
        value={choice}
        disabled={fields.isFrozen}
        data={(['none', ...BASE_DIRECTIONS, 'other'] as const).map((one) => ({
          value: one,
          label: t(`measure:base.${one}`),
        }))}
        onChange={(event) => choose(event.currentTarget.value as Choice)}
      />
      {isAngle ? (
        <MeasurementInput prefix={prefix} measurement="prism_base" />
      ) : (
        <>
          {problem !== null && <Problem message={problem} />}
          {problem === null && note && <MeasurementNoteText note={note} />}
          {typeof value === 'number' && (
            <span className={css.echo}>{t('measure:base.sent', { degrees: value })}</span>
          )}
          <ConflictNote name={name} />
        </>
      )}
    </Stack>
  )
}

/** What a measurement shows of one eye: a value, or that one is wrong, missing or needed. */
function isFilled(fields: OpenCase, measurement: Measurement): boolean {
  return EYE_PREFIXES.some((prefix) => {
    const name: MeasurementField = `${prefix}_${measurement}`
    const note = noteOn(measurement, eyeValuesOf(prefix, fields), {}, fields.clinical.vaUnit)
    const isOpen = fields.problem(name) ?? fields.conflict(name) ?? note
    return fields.text(name) !== '' || fields.isRequired(name) || isOpen !== null
  })
}

const NO_ROWS: ReadonlySet<Measurement> = new Set()

/** OD left, OS right; the tab key goes down OD and then OS, the order in which a refraction is read aloud. */
export function MeasurementsBlock() {
  const fields = useCase()
  /** A row that was shown stays, also if it is emptied. */
  const [shown, setShown] = useState(NO_ROWS)
  const rows = MEASUREMENTS.filter((one) => shown.has(one) || isFilled(fields, one))
  if (rows.length > shown.size) setShown(new Set(rows))
  const isWhole = rows.length === MEASUREMENTS.length
  const addRest = (): void => {
    flushSync(() => setShown(new Set(MEASUREMENTS)))
    const first = MEASUREMENTS.find((one) => !rows.includes(one))
    if (first) focusField(`od_${first}`)
  }
  if (fields.isFrozen && rows.length === 0) return null
  return (
    <Block
      id="measurements"
      title={t('submission:blocks.measurements')}
      explain={t('submission:blocks.measurementsHint')}
    >
      {rows.length > 0 && (
        <div className={css.grid} style={{ gridTemplateRows: `repeat(${rows.length + 1}, auto)` }}>
          <div className={css.names} aria-hidden>
            <span />
            {rows.map((measurement) => (
              <span key={measurement} className={css.name}>
                {t(`field:measurement.${measurement}.name`)}
              </span>
            ))}
          </div>
          {EYE_PREFIXES.map((prefix) => (
            <EyeColumn key={prefix} prefix={prefix} rows={rows} />
          ))}
        </div>
      )}
      {!isWhole && !fields.isFrozen && (
        <SmallButton mt={8} icon={IconPlus} onClick={addRest}>
          {t('measure:addRest')}
        </SmallButton>
      )}
    </Block>
  )
}

function EyeColumn({ prefix, rows }: RowsProps & { readonly prefix: Prefix }) {
  const eye = EYE_OF[prefix]
  return (
    <div className={css.eye} data-eye={prefix} role="group" aria-label={t(`field:eye.${eye}.full`)}>
      <span className={eyeCss.title} aria-hidden>
        {t(`field:eye.${eye}.full`)}
      </span>
      {rows.map((measurement) =>
        measurement === 'prism_base' ? (
          <PrismBaseInput key={measurement} prefix={prefix} />
        ) : (
          <MeasurementInput key={measurement} prefix={prefix} measurement={measurement} />
        ),
      )}
    </div>
  )
}
