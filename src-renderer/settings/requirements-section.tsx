import { Button, Checkbox, Group, Switch } from '@mantine/core'
import { useState } from 'react'
import { FIELD_NAMES, measurementOf, type FieldName } from '../../src-shared/fields.ts'
import { fieldLabel } from '../words/field-label.ts'
import { ManagedGroup } from './managed-part.tsx'
import { SettingsForm } from './settings-form.tsx'
import css from './settings-screen.module.css'
import { useSaveSettings } from './use-save-settings.ts'
import { t } from '../words/t.ts'

const CLINICAL: readonly FieldName[] = [
  'visit_reason',
  'ophthalmic_antecedents',
  'other_relevant_info',
  'retinologist_notes',
]
const GROUPS = [
  {
    part: 'patient',
    names: FIELD_NAMES.filter((name) => !measurementOf(name) && !CLINICAL.includes(name)),
  },
  { part: 'clinical', names: CLINICAL },
  {
    part: 'right',
    names: FIELD_NAMES.filter((name) => measurementOf(name)?.eye === 'right'),
  },
  {
    part: 'left',
    names: FIELD_NAMES.filter((name) => measurementOf(name)?.eye === 'left'),
  },
] as const

/** What an older edition of the service's interface insisted on. */
const STRICT: readonly FieldName[] = [
  'history_number',
  'gender',
  'age',
  'diabetes',
  'od_iop',
  'od_va',
  'os_iop',
  'os_va',
]

const PARTS = ['requiredFields', 'requireBothEyes'] as const

export type RequirementsSectionProps = {
  readonly requiredFields: readonly FieldName[]
  readonly requireBothEyes: boolean
}

/** What a case must have before it may go. */
export function RequirementsSection({ requiredFields, requireBothEyes }: RequirementsSectionProps) {
  const { save, isSaving } = useSaveSettings()
  const [required, setRequired] = useState<readonly FieldName[]>(requiredFields)
  const [bothEyes, setBothEyes] = useState(requireBothEyes)
  const require = (name: FieldName, isRequired: boolean): void =>
    setRequired((before) => FIELD_NAMES.filter((one) => (one === name ? isRequired : before.includes(one))))
  return (
    <SettingsForm
      explain={t('settings:requirements.explain')}
      keys={PARTS}
      isSaving={isSaving}
      onSave={() => void save({ requiredFields: [...required], requireBothEyes: bothEyes })}
    >
      <div className={css.card}>
        <ManagedGroup keys={['requiredFields']}>
          <Group gap={8}>
            <Button size="xs" variant="default" onClick={() => setRequired(['history_number'])}>
              {t('settings:requirements.presetMinimal')}
            </Button>
            <Button size="xs" variant="default" onClick={() => setRequired(STRICT)}>
              {t('settings:requirements.presetStrict')}
            </Button>
          </Group>
          {GROUPS.map(({ part, names }) => (
            <Checkbox.Group
              key={part}
              label={t(`settings:requirements.${part}`)}
              value={required.filter((name) => names.includes(name))}
              onChange={() => undefined}
            >
              <div className={css.checks}>
                {names.map((name) => (
                  <Checkbox
                    key={name}
                    value={name}
                    label={shortLabel(name)}
                    aria-label={fieldLabel(name)}
                    checked={required.includes(name)}
                    onChange={(event) => require(name, event.currentTarget.checked)}
                  />
                ))}
              </div>
            </Checkbox.Group>
          ))}
        </ManagedGroup>
        <ManagedGroup keys={['requireBothEyes']}>
          <Switch
            label={t('settings:requirements.bothEyes')}
            description={t('settings:requirements.bothEyesHint')}
            checked={bothEyes}
            onChange={(event) => setBothEyes(event.currentTarget.checked)}
          />
        </ManagedGroup>
      </div>
    </SettingsForm>
  )
}

/** Under the heading of an eye its name need not be repeated. */
function shortLabel(name: FieldName): string {
  const measured = measurementOf(name)
  return measured ? t(`field:measurement.${measured.measurement}.name`) : fieldLabel(name)
}
