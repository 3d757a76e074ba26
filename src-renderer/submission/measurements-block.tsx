import { TextInput } from '@mantine/core'
import { MEASUREMENTS, type Measurement, type MeasurementField } from '../../src-shared/fields.ts'
import { formatMeasurement } from '../format/numbers.ts'
import { fieldLabel } from '../words/field-label.ts'
import { readField } from './draft.ts'
import { Problem, SourceMark } from './field-input.tsx'
import { useFields } from './fields-context.ts'
import { fieldId } from './focus-field.ts'
import css from './measurements-block.module.css'
import screen from './submission-screen.module.css'
import { t } from '../words/t.ts'

/** OD left, OS right; the tab key goes down OD and then down OS, as a refraction is read aloud. */
export function MeasurementsBlock() {
  return (
    <section className={screen.block} aria-labelledby="block-measurements">
      <h2 id="block-measurements" className={screen.blockTitle}>
        {t('submission:blocks.measurements')}
        <span className={screen.hint}>{t('submission:blocks.measurementsHint')}</span>
      </h2>
      <div className={css.grid}>
        <div className={css.names} aria-hidden>
          <span />
          {MEASUREMENTS.map((measurement) => (
            <span key={measurement} className={css.name}>
              {t(`field:measurement.${measurement}.name`)}
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
  const { source } = useFields()
  const sources = new Set(MEASUREMENTS.map((measurement) => source(`${prefix}_${measurement}`)))
  const words = [...sources].flatMap((one) =>
    one === null || one === 'person' ? [] : t(`field:source.${one}.name`),
  )
  return (
    <div
      className={css.eye}
      data-eye={prefix}
      role="group"
      aria-label={t(`field:eye.${prefix === 'od' ? 'right' : 'left'}.full`)}
    >
      <span className={css.eyeName} aria-hidden>
        {t(`field:eye.${prefix === 'od' ? 'right' : 'left'}.full`)}
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
        aria-label={
          t(`field:measurement.${measurement}.unit`) === ''
            ? fieldLabel(name)
            : `${fieldLabel(name)}, ${t(`field:measurement.${measurement}.unit`)}`
        }
        value={fields.text(name)}
        readOnly={fields.isFrozen}
        inputMode="decimal"
        autoComplete="off"
        rightSection={
          t(`field:measurement.${measurement}.unit`) !== '' && (
            <span className={css.unit}>{t(`field:measurement.${measurement}.unit`)}</span>
          )
        }
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
