/** The patient, the visit and the clinical questions of the form. */
import { Anchor } from '@mantine/core'
import { DIABETES_CODES, GENDER_CODES } from '../../src-shared/fields.ts'
import type { SubmissionDetails } from '../../src-shared/submission.ts'
import { Fact } from '../components/controls.tsx'
import { formatExactly } from '../format/dates.ts'
import { t } from '../i18n/i18n.ts'
import { writeRoute } from '../shell/navigation.tsx'
import aboutCss from './about.module.css'
import { Block, ChoiceInput, FieldInput } from './field-input.tsx'
import css from './submission-screen.module.css'

export function PatientBlock() {
  return (
    <Block name="patient" title={t('submission:blocks.patient')}>
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
    </Block>
  )
}

export function ClinicalBlock() {
  return (
    <Block name="clinical" title={t('submission:blocks.clinical')}>
      <div className={css.fields}>
        <FieldInput name="visit_reason" span={6} kind="lines" />
        <FieldInput name="ophthalmic_antecedents" span={6} kind="lines" />
        <FieldInput name="other_relevant_info" span={6} kind="lines" />
        <FieldInput name="retinologist_notes" span={6} kind="lines" />
      </div>
    </Block>
  )
}

export function About({ details }: { readonly details: SubmissionDetails }) {
  const { addedAt, centerId, caseId, sentAt, confirmedAt, hasReport } = details
  return (
    <Block name="about" title={t('submission:facts.title')}>
      <dl className={aboutCss.facts}>
        <Fact name={t('submission:facts.added')}>{formatExactly(addedAt)}</Fact>
        <Fact name={t('submission:facts.center')}>{centerId ?? t('submission:facts.noCenter')}</Fact>
        {caseId !== null && (
          <Fact name={t('submission:facts.caseId')}>
            <Anchor href={writeRoute({ screen: 'cases', caseId })}>{caseId}</Anchor>
          </Fact>
        )}
        {sentAt !== null && <Fact name={t('submission:facts.sentAt')}>{formatExactly(sentAt)}</Fact>}
        {sentAt !== null && (
          <Fact name={t('submission:facts.confirmedAt')}>
            {confirmedAt === null ? t('submission:facts.notConfirmed') : formatExactly(confirmedAt)}
          </Fact>
        )}
      </dl>
      <p className={aboutCss.links}>
        {hasReport && caseId !== null && (
          <Anchor href={writeRoute({ screen: 'reports', caseId, submissionId: details.id })} fw={600}>
            {t('submission:facts.openReport')}
          </Anchor>
        )}
        <Anchor href={writeRoute({ screen: 'activity', submissionId: details.id })}>
          {t('submission:facts.activity')}
        </Anchor>
      </p>
    </Block>
  )
}
