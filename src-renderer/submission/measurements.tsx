/** The measurements of both eyes. */
import { Button, NativeSelect, TextInput } from '@mantine/core'
import { IconArrowRight, IconPlus } from '@tabler/icons-react'
import { type KeyboardEvent, useState } from 'react'
import { flushSync } from 'react-dom'
import {
  EYE_PREFIXES,
  type Measurement,
  type MeasurementField,
  MEASUREMENTS,
} from '../../src-shared/fields.ts'
import { IconAction, SmallButton } from '../components/controls.tsx'
import {
  addStep,
  BASE_DIRECTIONS,
  type BaseDirection,
  degreesOfBase,
  directionOfBase,
  type LowVisionCode,
  type PrismCoding,
  readTypedAcuity,
  sameBaseOfOtherEye,
  transposed,
} from '../format/numbers.ts'
import { fieldLabel, t } from '../i18n/i18n.ts'
import { Block, ConflictNote, Problem } from './field-input.tsx'
import {
  elementId,
  fieldText,
  focusField,
  measurementText,
  type OpenCase,
  readField,
  useCase,
} from './form.ts'
import { type EyeValues, MeasurementNoteText, noteOn } from './measurement-notes.tsx'
import css from './measurements-block.module.css'

type Prefix = (typeof EYE_PREFIXES)[number]

/** The measurements that are shown, from above. */
type RowsProps = { readonly rows: readonly Measurement[] }

const EYE_OF = { od: 'right', os: 'left' } as const

/** The measurements that are copied together, by the row of their button. */
const COPIED_GROUPS = {
  iop: ['iop'],
  va: ['va'],
  refraction: ['sphere', 'cylinder', 'axis', 'add'],
  prism: ['prism', 'prism_base'],
} as const satisfies Record<string, readonly Measurement[]>

type CopiedGroup = keyof typeof COPIED_GROUPS

/** The values that the left eye gets; null clears what the right eye lacks. */
export function copiedToLeft(
  group: CopiedGroup,
  right: EyeValues,
  coding: PrismCoding,
): readonly (readonly [MeasurementField, number | null])[] {
  return COPIED_GROUPS[group].map((measurement) => {
    const value = right[measurement]
    if (value === undefined) return [`os_${measurement}`, null]
    return [
      `os_${measurement}`,
      measurement === 'prism_base' ? sameBaseOfOtherEye('right', value, coding) : value,
    ]
  })
}

function eyeValuesOf(prefix: Prefix, { value }: Pick<OpenCase, 'value'>): EyeValues {
  return Object.fromEntries(
    MEASUREMENTS.flatMap((measurement) => {
      const one = value(`${prefix}_${measurement}`)
      return typeof one === 'number' ? [[measurement, one]] : []
    }),
  )
}

const GROUPS = Object.keys(COPIED_GROUPS) as readonly CopiedGroup[]

/** A button in the first row of each group that is shown. */
function CopyActions({ rows }: RowsProps) {
  const fields = useCase()
  const right = eyeValuesOf('od', fields)
  const { vaUnit, prismBase } = fields.clinical
  const copy = (group: CopiedGroup): void => {
    for (const [name, value] of copiedToLeft(group, right, prismBase)) {
      fields.write(name, value === null ? '' : fieldText(name, { [name]: value }, vaUnit))
    }
  }
  return GROUPS.map((group) => {
    const copied: readonly Measurement[] = COPIED_GROUPS[group]
    const row = rows.findIndex((measurement) => copied.includes(measurement))
    return (
      row >= 0 && (
        <span key={group} className={css.copy} style={{ gridRow: row + 2 }}>
          <IconAction
            label={t('measure:copy', { what: t(`measure:groups.${group}`) })}
            size={30}
            icon={IconArrowRight}
            iconSize={16}
            disabled={copied.every((measurement) => right[measurement] === undefined)}
            onClick={() => copy(group)}
          />
        </span>
      )
    )
  })
}

/** Writes a refraction with the other sign of its cylinder; twice restores the original. */
function TransposeAction({ prefix }: { readonly prefix: Prefix }) {
  const fields = useCase()
  const { sphere, cylinder, axis } = eyeValuesOf(prefix, fields)
  const mayTranspose = sphere !== undefined && cylinder !== undefined && cylinder !== 0 && axis !== undefined
  const transpose = (): void => {
    if (!mayTranspose) return
    const { vaUnit } = fields.clinical
    const next = transposed({ sphere, cylinder, axis })
    for (const measurement of ['sphere', 'cylinder', 'axis'] as const)
      fields.write(`${prefix}_${measurement}`, measurementText(measurement, next[measurement], vaUnit))
  }
  const eye = t(`field:eye.${EYE_OF[prefix]}.within`)
  return (
    <span className={css.transpose} data-eye={prefix}>
      <Button
        size="compact-sm"
        variant="subtle"
        color="gray"
        disabled={!mayTranspose}
        aria-label={t('measure:transposeWhat', { eye })}
        title={mayTranspose ? t('measure:transposeMeans') : t('measure:transposeNeeds')}
        onClick={transpose}
      >
        {t('measure:transpose')}
      </Button>
    </span>
  )
}

type Converted = { readonly typed: string; readonly value: number }

type LowVisionOfferProps = { readonly name: MeasurementField; readonly code: LowVisionCode }

/** No number represents "counting fingers": the text goes into the notes, and the field stays empty. */
function LowVisionOffer({ name, code }: LowVisionOfferProps) {
  const fields = useCase()
  const write = (): void => {
    const line = t('measure:acuity.noteLine', {
      eye: t(`field:eye.${name.startsWith('od') ? 'right' : 'left'}.short`),
      code,
      meaning: t(`measure:acuity.words.${code}`),
    })
    const notes = fields.text('retinologist_notes').trim()
    if (!notes.split('\n').includes(line))
      fields.write('retinologist_notes', notes === '' ? line : `${notes}\n${line}`)
    fields.write(name, '')
    focusField(name)
  }
  return (
    <SmallButton mt={4} onClick={write}>
      {t('measure:acuity.toNotes')}
    </SmallButton>
  )
}

type MeasurementInputProps = { readonly prefix: Prefix; readonly measurement: Measurement }

/** One measurement of one eye: accepts any notation, steps with the arrow keys, and shows the parsed value. */
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
  const step = (event: KeyboardEvent): void => {
    const by = event.key === 'ArrowUp' ? 1 : event.key === 'ArrowDown' ? -1 : null
    if (by === null || fields.isFrozen || event.altKey || event.ctrlKey || event.metaKey) return
    // In an empty field there is no value to step from.
    if (typeof value !== 'number') return
    event.preventDefault()
    const next = addStep(measurement, value, by, vaUnit)
    fields.write(name, measurementText(measurement, next, vaUnit))
  }
  const unit =
    measurement === 'va' ? t(`measure:acuity.unit.${vaUnit}`) : t(`field:measurement.${measurement}.unit`)
  const isUnitShown = measurement !== 'va' || vaUnit === 'decimal'
  const hasLowVisionCode = acuity?.kind === 'code' && !fields.isFrozen
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
        rightSection={isUnitShown && <span className={css.unit}>{unit}</span>}
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
        onKeyDown={step}
        onBlur={showUnderstood}
      />
      {hasLowVisionCode && <LowVisionOffer name={name} code={acuity.code} />}
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
    <div className={css.base}>
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
    </div>
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
        <div className={css.grid} style={{ gridTemplateRows: `repeat(${rows.length + 2}, auto)` }}>
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
          {/* After both columns: the tab key visits the numbers first. */}
          {!fields.isFrozen && <CopyActions rows={rows} />}
          {!fields.isFrozen &&
            rows.includes('cylinder') &&
            EYE_PREFIXES.map((prefix) => <TransposeAction key={prefix} prefix={prefix} />)}
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
      <span className={css.eyeName} aria-hidden>
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
