/** The settings of the review: what a case must have before it is sent, and how the service counts measurements. */
import { Checkbox } from '@mantine/core'
import { useSetState } from '@mantine/hooks'
import { useState } from 'react'
import { FIELD_NAMES, type FieldName, measurementOf } from '../../src-shared/fields.ts'
import { Toggle } from '../components/controls.tsx'
import { degreesOfBase } from '../format/numbers.ts'
import { fieldLabel, t } from '../i18n/i18n.ts'
import { ManagedGroup, RadioChoice, type SectionProps, SettingsForm, useSaving } from './settings-form.tsx'
import css from './settings-screen.module.css'

const CLINICAL: readonly FieldName[] = [
  'visit_reason',
  'ophthalmic_antecedents',
  'other_relevant_info',
  'retinologist_notes',
]

const GROUPS = [
  { part: 'patient', names: FIELD_NAMES.filter((name) => !measurementOf(name) && !CLINICAL.includes(name)) },
  { part: 'clinical', names: CLINICAL },
  { part: 'right', names: FIELD_NAMES.filter((name) => measurementOf(name)?.eye === 'right') },
  { part: 'left', names: FIELD_NAMES.filter((name) => measurementOf(name)?.eye === 'left') },
] as const

export function ReviewSection({ settings }: SectionProps) {
  const [required, setRequired] = useState<readonly FieldName[]>(settings.requiredFields)
  const [bothEyes, setBothEyes] = useState(settings.requireBothEyes)
  const [clinical, write] = useSetState(settings.clinical)
  const { vaUnit, prismBase } = clinical
  const saving = useSaving({ requiredFields: [...required], requireBothEyes: bothEyes, clinical })
  const require = (group: readonly FieldName[], chosen: readonly string[]): void =>
    setRequired((before) =>
      FIELD_NAMES.filter((name) => (group.includes(name) ? chosen : before).includes(name)),
    )
  return (
    <SettingsForm section="review" saving={saving}>
      <div className={css.card}>
        <h3>{t('settings:requirements.title')}</h3>
        <p className="dim">{t('settings:requirements.explain')}</p>
        <ManagedGroup part="requiredFields">
          {GROUPS.map(({ part, names }) => (
            <Checkbox.Group
              key={part}
              label={t(`settings:requirements.${part}`)}
              value={required.filter((name) => names.includes(name))}
              onChange={(chosen) => require(names, chosen)}
            >
              <div className={css.checks}>
                {names.map((name) => (
                  <Checkbox key={name} value={name} label={shortLabel(name)} aria-label={fieldLabel(name)} />
                ))}
              </div>
            </Checkbox.Group>
          ))}
        </ManagedGroup>
        <ManagedGroup part="requireBothEyes">
          <Toggle
            label={t('settings:requirements.bothEyes')}
            description={t('settings:requirements.bothEyesHint')}
            isOn={bothEyes}
            onWrite={setBothEyes}
          />
        </ManagedGroup>
      </div>
      <div className={css.card}>
        <h3>{t('settings:clinical.title')}</h3>
        <p className="dim">{t('settings:clinical.explain')}</p>
        <ManagedGroup part="clinical">
          <RadioChoice
            label={t('settings:clinical.vaUnit')}
            description={t('settings:clinical.vaHint')}
            choices={['decimal', 'logMAR']}
            value={vaUnit}
            labelOf={(unit) => t(`settings:clinical.vaUnits.${unit}`)}
            hintOf={(unit) => t(`settings:clinical.vaExamples.${unit}`)}
            onChoose={(unit) => write({ vaUnit: unit })}
          />
          <RadioChoice
            label={t('settings:clinical.prismBase')}
            choices={['examiner', 'patient']}
            value={prismBase}
            labelOf={(coding) => t(`settings:clinical.prismBases.${coding}`)}
            hintOf={(coding) => t(`settings:clinical.prismHints.${coding}`)}
            onChoose={(coding) => write({ prismBase: coding })}
          />
          <ul role="list" className="tabular">
            {(['right', 'left'] as const).map((eye) => (
              <li key={eye}>
                {t('settings:clinical.prismOf', {
                  eye: t(`field:eye.${eye}.name`),
                  in: degreesOfBase(eye, 'in', prismBase),
                  out: degreesOfBase(eye, 'out', prismBase),
                })}
              </li>
            ))}
          </ul>
        </ManagedGroup>
        <p className="small dim">{t('settings:clinical.values')}</p>
      </div>
    </SettingsForm>
  )
}

/** A field's name without its eye, for use below the eye's heading. */
function shortLabel(name: FieldName): string {
  const measured = measurementOf(name)
  return measured ? t(`field:measurement.${measured.measurement}.name`) : fieldLabel(name)
}
