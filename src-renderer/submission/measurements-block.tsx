import { EYE_PREFIXES, MEASUREMENTS, type MeasurementField } from '../../src-shared/fields.ts'
import { t } from '../words/t.ts'
import { CopyActions, TransposeAction } from './grid-actions.tsx'
import { useFields } from './fields-context.ts'
import { MeasurementInput } from './measurement-input.tsx'
import css from './measurements-block.module.css'
import { PrismBaseInput } from './prism-base-input.tsx'
import screen from './submission-screen.module.css'

/** OD left, OS right; the tab key goes down OD and then down OS, as a refraction is read aloud. */
export function MeasurementsBlock() {
  const { isFrozen } = useFields()
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
        {EYE_PREFIXES.map((prefix) => (
          <EyeColumn key={prefix} prefix={prefix} />
        ))}
        {/* Behind both columns: the tab key goes through the numbers first. */}
        {!isFrozen && <CopyActions />}
        {!isFrozen && EYE_PREFIXES.map((prefix) => <TransposeAction key={prefix} prefix={prefix} />)}
      </div>
    </section>
  )
}

function EyeColumn({ prefix }: { readonly prefix: 'od' | 'os' }) {
  const { source } = useFields()
  const sources = new Set(MEASUREMENTS.map((measurement) => source(`${prefix}_${measurement}`)))
  const labels = [...sources].flatMap((one) =>
    one === null || one === 'person' ? [] : t(`field:source.${one}.name`),
  )
  const eye = prefix === 'od' ? 'right' : 'left'
  return (
    <div className={css.eye} data-eye={prefix} role="group" aria-label={t(`field:eye.${eye}.full`)}>
      <span className={css.eyeName} aria-hidden>
        {t(`field:eye.${eye}.full`)}
        <span className={css.sources}>{labels.join(', ')}</span>
      </span>
      {MEASUREMENTS.map((measurement) => {
        const name: MeasurementField = `${prefix}_${measurement}`
        return measurement === 'prism_base' ? (
          <PrismBaseInput key={name} prefix={prefix} />
        ) : (
          <MeasurementInput key={name} prefix={prefix} measurement={measurement} />
        )
      })}
    </div>
  )
}
