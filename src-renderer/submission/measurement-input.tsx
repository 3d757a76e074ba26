import { TextInput } from '@mantine/core'
import { useState, type KeyboardEvent } from 'react'
import type { Measurement, MeasurementField } from '../../src-shared/fields.ts'
import { readTypedAcuity } from '../format/acuity.ts'
import { addStep } from '../format/measurement-steps.ts'
import { fieldLabel } from '../words/field-label.ts'
import { t } from '../words/t.ts'
import { AcuityEcho, LowVisionOffer, type Converted } from './acuity-echo.tsx'
import { ConflictNote } from './conflict-note.tsx'
import { measurementText, readField } from './draft.ts'
import { eyeValuesOf } from './eye-values.ts'
import { Problem, SourceMark } from './field-input.tsx'
import { useFields } from './fields-context.ts'
import { fieldId } from './focus-field.ts'
import { isHalfNeeded, noteOn } from './measurement-notes.ts'
import { MeasurementNoteText } from './measurement-note-text.tsx'
import css from './measurements-block.module.css'

export type MeasurementInputProps = {
  readonly prefix: 'od' | 'os'
  readonly measurement: Exclude<Measurement, 'prism_base'>
}

/** One measurement of one eye: read in any notation, stepped by the arrow keys, and echoed as it is understood. */
export function MeasurementInput({ prefix, measurement }: MeasurementInputProps) {
  const fields = useFields()
  const [converted, setConverted] = useState<Converted | null>(null)
  const name: MeasurementField = `${prefix}_${measurement}`
  const { vaUnit } = fields.clinical
  const text = fields.text(name)
  const value = fields.value(name)
  const problem = fields.problem(name)
  const own = eyeValuesOf(prefix, fields)
  // What differs between the eyes is said once, where the second is entered.
  const note = noteOn(measurement, own, prefix === 'od' ? {} : eyeValuesOf('od', fields), vaUnit)
  const acuity = measurement === 'va' ? readTypedAcuity(text, vaUnit) : null
  const echo =
    acuity?.kind === 'number' && acuity.wasConverted
      ? { typed: text.trim(), value: acuity.value }
      : converted !== null && converted.value === value
        ? converted
        : null
  // An axis without a cylinder is no question; once there is one, it is.
  const isIdle = measurement === 'axis' && text === '' && !isHalfNeeded('axis', own)

  /** Shows what was understood, so that a slip such as a lost sign is seen. */
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
    // In an empty field nothing was measured that a key could change.
    if (typeof value !== 'number') return
    event.preventDefault()
    const next = addStep(measurement, value, by, vaUnit)
    fields.write(name, measurementText(measurement, next, vaUnit))
  }
  const unit =
    measurement === 'va' ? t(`measure:acuity.unit.${vaUnit}`) : t(`field:measurement.${measurement}.unit`)
  const isUnitShown = measurement !== 'va' || vaUnit === 'decimal'
  const hasLowVisionCode = acuity?.kind === 'word' && !fields.isFrozen
  return (
    <div className={css.cell} data-idle={isIdle}>
      <TextInput
        id={fieldId(name)}
        size="sm"
        aria-label={`${fieldLabel(name)}, ${unit}`}
        value={text}
        readOnly={fields.isFrozen || (measurement === 'va' && !fields.clinical.isLoaded)}
        disabled={isIdle}
        inputMode={measurement === 'va' ? 'text' : 'decimal'}
        autoComplete="off"
        rightSection={isUnitShown && <span className={css.unit}>{unit}</span>}
        rightSectionWidth={measurement === 'va' ? 66 : 56}
        rightSectionPointerEvents="none"
        inputWrapperOrder={['input', 'description', 'error']}
        description={
          (echo !== null || note !== null) && (
            <>
              {echo !== null && <AcuityEcho converted={echo} unit={vaUnit} />}
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
      {hasLowVisionCode && <LowVisionOffer name={name} code={acuity.word} />}
      <ConflictNote name={name} />
      <SourceMark name={name} isSmall />
    </div>
  )
}
