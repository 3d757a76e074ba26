import { Anchor, Button, Loader, Modal } from '@mantine/core'
import { IconAlertOctagon, IconArrowRight } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import type { Alarm } from '../../src-shared/alarm.ts'
import type { ListedCase } from '../../src-shared/case.ts'
import { readUrgency } from '../../src-shared/urgency.ts'
import { formatCalendarDay } from '../format/instants.ts'
import { CopyAction } from '../parts/copy-action.tsx'
import { FailureNotice } from '../parts/failure-notice.tsx'
import { JsonTree } from '../parts/json-tree.tsx'
import { UrgencyMark } from '../parts/urgency-mark.tsx'
import { maskRaw } from '../privacy/mask-raw.ts'
import { useNames, type Names } from '../privacy/use-names.ts'
import { writeRoute } from '../shell/routes.ts'
import { useAnswer } from '../store/use-answer.ts'
import css from './case-details.module.css'
import { ReportLink, showCreated } from './case-table.tsx'
import screenCss from './cases-screen.module.css'
import { said } from '../words/said.ts'
import { t } from '../words/t.ts'

export type CaseDetailsProps = {
  /** Null while none is open. */
  readonly caseId: string | null
  /** What the list said of it; null where it is not in the list. */
  readonly listed: ListedCase | null
  readonly alarm: Alarm | null
  readonly onClose: () => void
}

/** All that the service says of a case, also what nobody documented. */
export function CaseDetails({ caseId, listed, alarm, onClose }: CaseDetailsProps) {
  return (
    <Modal
      opened={caseId !== null}
      onClose={onClose}
      size="xl"
      title={caseId && t('case:detailsOf', { id: caseId })}
      closeButtonProps={{ 'aria-label': t('shell:close') }}
    >
      {caseId !== null && <CaseContent key={caseId} caseId={caseId} listed={listed} alarm={alarm} />}
    </Modal>
  )
}

type CaseContentProps = Omit<CaseDetailsProps, 'caseId' | 'onClose'> & { readonly caseId: string }

function CaseContent({ caseId, listed, alarm }: CaseContentProps) {
  // A list may be shorter than the case itself, so that is asked for, too.
  const { value, failure, isReading } = useAnswer('cases.get', { id: caseId })
  const item = value ?? listed
  const names = useNames()
  if (item === null)
    return failure ? (
      <FailureNotice failure={failure} tone="amber" />
    ) : (
      <Loader aria-label={t('case:reading')} />
    )
  const name = [item.lastName, item.firstName].filter(Boolean).join(', ')
  return (
    <>
      {alarm && (
        <p className={css.alarm}>
          <IconAlertOctagon size={18} aria-hidden />
          {said(alarm.message)}
        </p>
      )}
      <dl className={css.facts}>
        <Fact name={t('case:columns.state')}>
          <span className={screenCss.state}>{item.state ?? t('case:noState')}</span>{' '}
          <UrgencyMark urgency={readUrgency(item.urgency)} label={item.urgency ?? ''} />
        </Fact>
        <Fact name={t('case:columns.patient')}>
          {[item.historyNumber, name && names.name(name)].filter(Boolean).join(' \u00b7 ') || '\u2013'}
        </Fact>
        <Fact name={t('case:columns.visit')}>
          {item.visitDate === null ? '\u2013' : formatCalendarDay(item.visitDate)}
        </Fact>
        <Fact name={t('case:columns.created')}>
          {item.createdAt === null ? '\u2013' : showCreated(item.createdAt)}
        </Fact>
        <Fact name={t('case:columns.ours')}>
          {item.submissionId === null ? (
            <span className="dim">{t('case:notOurs')}</span>
          ) : (
            <Anchor href={writeRoute({ screen: 'submission', id: item.submissionId })}>
              {item.reference ?? item.submissionId}
            </Anchor>
          )}
        </Fact>
      </dl>
      {item.submissionId !== null && (
        <p className={css.ways}>
          <Button
            component="a"
            size="xs"
            variant="default"
            rightSection={<IconArrowRight size={15} aria-hidden />}
            href={writeRoute({ screen: 'submission', id: item.submissionId })}
          >
            {t('case:openOurs')}
          </Button>
          <ReportLink item={item} />
        </p>
      )}
      <div className={css.fieldsHead}>
        <h3>{t('case:allFields')}</h3>
        <CopyAction text={JSON.stringify(item.raw, null, 2)} label={t('case:copyFields')} />
        {isReading && <Loader size="xs" aria-label={t('case:reading')} />}
      </div>
      {failure && listed && <p className="dim">{t('case:onlyListed', { why: said(failure.message) })}</p>}
      <JsonTree value={names.areHidden ? withoutNames(item, names) : item.raw} />
    </>
  )
}

/** What the service says, with the patient's name hidden wherever it stands. */
function withoutNames({ raw, firstName, lastName }: ListedCase, names: Names): unknown {
  const fields = {
    ...(firstName !== null && { first_name: firstName }),
    ...(lastName !== null && { last_name: lastName }),
  }
  return maskRaw(raw, (text) => names.text(text, fields))
}

function Fact({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd className="tabular">{children}</dd>
    </div>
  )
}
