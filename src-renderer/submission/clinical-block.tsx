import { FieldInput } from './field-input.tsx'
import css from './submission-screen.module.css'
import { t } from '../words/t.ts'

/** What was asked and told, in words. */
export function ClinicalBlock() {
  return (
    <section className={css.block} aria-labelledby="block-clinical">
      <h2 id="block-clinical" className={css.blockTitle}>
        {t('submission:blocks.clinical')}
      </h2>
      <div className={css.fields}>
        <FieldInput name="visit_reason" span={6} kind="lines" />
        <FieldInput name="ophthalmic_antecedents" span={6} kind="lines" />
        <FieldInput name="other_relevant_info" span={6} kind="lines" />
        <FieldInput name="retinologist_notes" span={6} kind="lines" />
      </div>
    </section>
  )
}
