import { TextInput } from '@mantine/core'
import { MEASUREMENTS, type Measurement, type MeasurementField } from '../../src-shared/fields.ts'
import { formatMeasurement } from '../format/numbers.ts'
import { EYE_WORDS, fieldLabel, MEASUREMENT_WORDS, SOURCE_WORDS } from '../words/field-words.ts'
import { SUBMISSION_WORDS } from '../words/submission-words.ts'
import { readField } from './draft.ts'
import { Problem, SourceMark } from './field-input.tsx'
import { useFields } from './fields-context.ts'
import { fieldId } from './focus-field.ts'
import css from './measurements-block.module.css'
import screen from './submission-screen.module.css'

/** OD left, OS right; the tab key goes down OD and then down OS, as a refraction is read aloud. */
export function MeasurementsBlock() {
  return (
    <section className={screen.block} aria-labelledby="block-measurements">
      <h2 id="block-measurements" className={screen.blockTitle}>
        {SUBMISSION_WORDS.blocks.measurements}
        <span className={screen.hint}>{SUBMISSION_WORDS.blocks.measurementsHint}</span>
      </h2>
      <div className={css.grid}>
        <div className={css.names} aria-hidden>
          <span />
          {MEASUREMENTS.map((measurement) => (
            <span key={measurement} className={css.name}>
              {MEASUREMENT_WORDS[measurement].name}
            </span>
          ))}
        </div>
        <EyeColumn prefix="od" />
        <EyeColumn prefix="os" />
      </div>
    </section>
  )
}

function EyeColumn({ prefix }: { readonly prefix: 'od' | 'os' }) {
  const eye = EYE_WORDS[prefix === 'od' ? 'right' : 'left']
  const { source } = useFields()
  const sources = new Set(MEASUREMENTS.map((measurement) => source(`${prefix}_${measurement}`)))
  const words = [...sources].flatMap((one) =>
    one === null || one === 'person' ? [] : SOURCE_WORDS[one].name,
  )
  return (
    <div className={css.eye} data-eye={prefix} role="group" aria-label={eye.full}>
      <span className={css.eyeName} aria-hidden>
        {eye.full}
        <span className={css.sources}>{words.join(', ')}</span>
      </span>
      {MEASUREMENTS.map((measurement) => (
        <MeasurementInput key={measurement} name={`${prefix}_${measurement}`} measurement={measurement} />
      ))}
    </div>
  )
}

type MeasurementInputProps = { readonly name: MeasurementField; readonly measurement: Measurement }

function MeasurementInput({ name, measurement }: MeasurementInputProps) {
  const fields = useFields()
  const problem = fields.problem(name)
  const { unit } = MEASUREMENT_WORDS[measurement]
  /** Shows what was understood, so that a slip such as a lost sign is seen. */
  const echo = (): void => {
    const read = readField(name, fields.text(name))
    if (read.kind === 'value' && typeof read.value === 'number')
      fields.write(name, formatMeasurement(measurement, read.value))
  }
  return (
    <div className={css.cell}>
      <TextInput
        id={fieldId(name)}
        size="sm"
        aria-label={unit === '' ? fieldLabel(name) : `${fieldLabel(name)}, ${unit}`}
        value={fields.text(name)}
        readOnly={fields.isFrozen}
        inputMode="decimal"
        autoComplete="off"
        rightSection={unit !== '' && <span className={css.unit}>{unit}</span>}
        rightSectionWidth={50}
        rightSectionPointerEvents="none"
        error={problem !== null && <Problem message={problem} />}
        errorProps={{ component: 'div' }}
        onChange={(event) => fields.write(name, event.currentTarget.value)}
        onBlur={echo}
      />
      <SourceMark name={name} isSmall />
    </div>
  )
}
