/** The page of a case. */
import { Button, Loader } from '@mantine/core'
import { useHotkeys } from '@mantine/hooks'
import { IconArrowLeft, IconSend } from '@tabler/icons-react'
import { unlessBehindDialog } from '../components/browser.tsx'
import { ActionButton } from '../components/controls.tsx'
import { t } from '../i18n/i18n.ts'
import { useDiscardUntouched } from './add-images.tsx'
import { isSendable, useSaving } from './autosave.ts'
import { CaseQuestions, MoreActions } from './case-questions.tsx'
import { CheckPanel } from './check.tsx'
import { History } from './delivery.tsx'
import { Block, ClinicalBlock, PatientBlock, SaveNote } from './field-input.tsx'
import { useCase } from './form.ts'
import { ImagesBoard } from './images-board.tsx'
import { MeasurementsBlock } from './measurements.tsx'
import { CaseHeading, OpenedCase } from './opened-case.tsx'
import css from './submission-screen.module.css'

/** The details of one case: its form, its images and what has happened to it. */
export function SubmissionScreen({ id }: { readonly id: string }) {
  useDiscardUntouched(id)
  return (
    <OpenedCase
      id={id}
      heading="h1"
      waiting={<Loader display="block" m="80px auto" aria-label={t('desk:shown')} />}
    >
      {({ isReading }) => <CasePage isReading={isReading} />}
    </OpenedCase>
  )
}

function CasePage({ isReading }: { readonly isReading: boolean }) {
  const open = useCase()
  const saving = useSaving(open)
  useHotkeys(
    [
      ['mod+S', unlessBehindDialog(() => void saving.save())],
      ['mod+Enter', unlessBehindDialog(() => void saving.saveAndSend())],
    ],
    [],
  )
  const { state, erasedAt } = open.details
  // The panel of a case in doubt has it: a person decides by it.
  const history = state !== 'unconfirmed' && (
    <Block id="history" title={t('submission:history')}>
      <History />
    </Block>
  )
  return (
    <>
      <div className={css.header}>
        <Button
          component="a"
          href="#/queue"
          variant="subtle"
          color="gray"
          px={10}
          leftSection={<IconArrowLeft size={17} aria-hidden />}
        >
          {t('shell:screens.queue')}
        </Button>
        <CaseHeading heading="h1" />
        <SaveNote state={saving.state} />
        {isSendable(state) && (
          <ActionButton
            variant="filled"
            size="md"
            px={20}
            icon={IconSend}
            loading={saving.isBusy}
            onClick={() => void saving.saveAndSend()}
          >
            {t(`submission:send.${state}`)}
          </ActionButton>
        )}
        <MoreActions hasSend={isSendable(state)} />
      </div>
      <div className={css.screen}>
        <CaseQuestions />
        {erasedAt !== null ? (
          history
        ) : (
          <div className={css.columns}>
            <div className={css.column}>
              <ImagesBoard />
              {history}
            </div>
            <form
              className={css.column}
              onSubmit={(event) => event.preventDefault()}
              onBlur={saving.leave}
              noValidate
            >
              <CheckPanel isReading={isReading} />
              <PatientBlock />
              <MeasurementsBlock />
              <ClinicalBlock />
            </form>
          </div>
        )}
      </div>
    </>
  )
}
