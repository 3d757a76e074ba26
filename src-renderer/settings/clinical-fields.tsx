import { Radio } from '@mantine/core'
import type { ClinicalSettings } from '../../src-shared/settings.ts'
import { formatAcuity, logMarOf } from '../format/acuity.ts'
import { t } from '../words/t.ts'
import css from './clinical-fields.module.css'
import { ManagedGroup } from './managed-part.tsx'
import { PrismPicture } from './prism-picture.tsx'

const UNITS = ['decimal', 'logMAR'] as const
const CODINGS = ['examiner', 'patient'] as const
/** As quotients and as decimals: what both units make of the same sight. */
const EXAMPLES = [
  { name: 'normal', metres: '6/6', feet: '20/20', decimal: 1 },
  { name: 'half', metres: '6/12', feet: '20/40', decimal: 0.5 },
  { name: 'tenth', metres: '6/60', feet: '20/200', decimal: 0.1 },
] as const

export type ClinicalFieldsProps = {
  readonly clinical: ClinicalSettings
  readonly onWrite: (change: Partial<ClinicalSettings>) => void
}

/** What the service takes acuity and prism base as, each with a picture of what will be sent. */
export function ClinicalFields({ clinical, onWrite }: ClinicalFieldsProps) {
  const { vaUnit, prismBase } = clinical
  return (
    <ManagedGroup keys={['clinical']}>
      <div className={css.question}>
        <Radio.Group
          label={t('settings:clinical.vaUnit')}
          description={t('settings:clinical.vaHint')}
          value={vaUnit}
          onChange={(value) => onWrite({ vaUnit: UNITS.find((unit) => unit === value) ?? 'decimal' })}
        >
          <div className={css.choices}>
            {UNITS.map((unit) => (
              <Radio key={unit} value={unit} label={t(`settings:clinical.vaUnits.${unit}`)} />
            ))}
          </div>
        </Radio.Group>
        <table className={css.examples}>
          <caption>{t('settings:clinical.vaExamples.title')}</caption>
          <tbody>
            {EXAMPLES.map(({ name, metres, feet, decimal }) => (
              <tr key={name}>
                <th scope="row">{t(`settings:clinical.vaExamples.${name}`)}</th>
                <td>{metres}</td>
                <td>{feet}</td>
                <td className={css.sent}>
                  {formatAcuity(vaUnit === 'decimal' ? decimal : logMarOf(decimal), vaUnit)}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <div className={css.question}>
        <Radio.Group
          label={t('settings:clinical.prismBase')}
          value={prismBase}
          onChange={(value) =>
            onWrite({ prismBase: CODINGS.find((coding) => coding === value) ?? 'examiner' })
          }
        >
          <div className={css.choices}>
            {CODINGS.map((coding) => (
              <Radio
                key={coding}
                value={coding}
                label={t(`settings:clinical.prismBases.${coding}`)}
                description={t(`settings:clinical.prismHints.${coding}`)}
              />
            ))}
          </div>
        </Radio.Group>
        <PrismPicture coding={prismBase} />
      </div>
    </ManagedGroup>
  )
}
