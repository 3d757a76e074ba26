import { DIABETES_CODES, GENDER_CODES } from '../../src-shared/fields.ts'
import { ChoiceInput } from './choice-input.tsx'
import { FieldInput } from './field-input.tsx'
import css from './submission-screen.module.css'
import { t } from '../words/t.ts'

/** Who it is and when. */
export function PatientBlock() {
  return (
    <section className={css.block} aria-labelledby="block-patient">
      <h2 id="block-patient" className={css.blockTitle}>
        {t('submission:blocks.patient')}
      </h2>
      <div className={css.fields}>
        <FieldInput name="history_number" span={6} />
        <FieldInput name="visit_date" span={6} kind="date" />
        <FieldInput name="last_name" span={5} />
        <FieldInput name="first_name" span={5} />
        <FieldInput name="age" span={2} kind="number" />
        <ChoiceInput
          name="gender"
          choices={[
            { code: GENDER_CODES.female, label: t('field:female') },
            { code: GENDER_CODES.male, label: t('field:male') },
          ]}
        />
        <ChoiceInput
          name="diabetes"
          choices={[
            { code: DIABETES_CODES.yes, label: t('field:yes') },
            { code: DIABETES_CODES.no, label: t('field:no') },
          ]}
        />
      </div>
    </section>
  )
}
