/** The screen for a case added by hand. */
import { Button, Stack, Text } from '@mantine/core'
import { useHotkeys, useWindowEvent } from '@mantine/hooks'
import { IconArrowLeft, IconCheck } from '@tabler/icons-react'
import { useEffect, useMemo, useRef } from 'react'
import { useStore } from 'zustand'
import { Dialog } from '../components/dialog.tsx'
import type { FieldName, Fields } from '../../src-shared/fields.ts'
import { NOTHING_STATED } from '../../src-shared/proof.ts'
import { unlessBehindDialog } from '../components/browser.tsx'
import { LinkButton } from '../components/controls.tsx'
import { FailureNotice } from '../components/notices.tsx'
import { currentSignature } from '../decisions/decisions.tsx'
import { t } from '../i18n/i18n.ts'
import { goTo } from '../shell/navigation.tsx'
import { showToast } from '../shell/toast.tsx'
import { upsertSubmission } from '../store/store.ts'
import { deferUpdates, useCall, useSession, useStation } from '../store/use-station.ts'
import { PatientBlock } from '../submission/field-input.tsx'
import {
  FieldsContext,
  focusField,
  type FormFields,
  readDraft,
  useClinical,
  valueOf,
} from '../submission/form.ts'
import screen from '../submission/submission-screen.module.css'
import {
  addFiles,
  clearNewCase,
  discardDropped,
  DropZone,
  hasStartedCase,
  imagesOf,
  missingStep,
  newCase,
  startNext,
} from './case-in-progress.tsx'
import { FileBoard, useUploads } from './file-board.tsx'
import css from './new-case.module.css'

/** Shown if images are dropped while another case is in progress: they may be another patient's. */
function DroppedFilesDialog() {
  const { files, draft, dropped, isMaking } = useStore(newCase)
  const addDropped = (): void => {
    discardDropped()
    addFiles(dropped)
  }
  return (
    <Dialog
      opened={dropped.length > 0 && !isMaking}
      onClose={discardDropped}
      title={t('newCase:begun.title')}
    >
      <Stack>
        <Text>
          <strong>{draft.history_number?.trim() || t('queue:noHistoryNumber')}</strong>
          {` \u00b7 ${t('queue:images', { count: files.length })}`}
        </Text>
        <Text>{t('newCase:begun.ask', { count: dropped.length })}</Text>
        <Button data-autofocus variant="default" onClick={addDropped}>
          {t('newCase:begun.add')}
        </Button>
        <Button variant="default" onClick={startNext}>
          {t('newCase:begun.startOver')}
        </Button>
        <Button variant="default" onClick={discardDropped}>
          {t('newCase:begun.leave')}
        </Button>
      </Stack>
    </Dialog>
  )
}

/** The form of a case that does not exist yet: every value is a typed one. */
function useNewCaseFields() {
  const draft = useStore(newCase, (state) => state.draft)
  const required = useStation((state) => state.settings?.requiredFields)
  const clinical = useClinical()
  return useMemo(() => {
    const { changes, problems } = readDraft(draft, {}, clinical.vaUnit)
    const [wrong] = Object.keys(problems) as FieldName[]
    const form: FormFields = {
      isFrozen: false,
      stated: NOTHING_STATED,
      clinical,
      text: (name) => draft[name] ?? '',
      value: (name) => valueOf(name, draft, {}, clinical),
      write: (name, text) => newCase.setState((state) => ({ draft: { ...state.draft, [name]: text } })),
      problem: (name) => problems[name] ?? null,
      isRequired: (name) => (required ?? []).includes(name),
      source: () => null,
      isProposed: () => false,
      conflict: () => null,
      rest: null,
      conceal: (text) => text,
    }
    // Nothing is stored yet, so no change clears a field.
    return { form, wrong, fields: wrong === undefined ? (changes as Fields) : null }
  }, [draft, required, clinical])
}

export function NewCaseScreen() {
  const session = useSession()
  const { files, overflowCount: leftOut, isMaking } = useStore(newCase)
  const { form, fields, wrong } = useNewCaseFields()
  const { failure, setFailure, call } = useCall()
  const heading = useRef<HTMLHeadingElement>(null)
  useUploads()
  useEffect(() => heading.current?.focus({ preventScroll: true }), [])
  // The files exist only here until they are uploaded, so a reload asks for confirmation.
  const hasFiles = files.length > 0
  useWindowEvent('beforeunload', (event) => hasFiles && event.preventDefault())

  const hasStarted = useStore(newCase, hasStartedCase)
  useEffect(() => {
    if (hasStarted) deferUpdates(session, 'a new case', hasStartedCase)
  }, [hasStarted, session])

  const missing = missingStep(files)
  const create = async (): Promise<void> => {
    if (missing !== null || newCase.getState().isMaking) return
    if (fields === null) {
      showToast({ tone: 'red', message: t('submission:correctFirst') })
      return wrong && focusField(wrong)
    }
    newCase.setState({ isMaking: true })
    setFailure(null)
    const made = await call('submissions.create', {
      ...currentSignature(),
      fields,
      images: imagesOf(files),
    })
    newCase.setState({ isMaking: false })
    if (!made) return
    startNext()
    upsertSubmission(session, made)
    showToast({ tone: 'green', message: t('newCase:made', { reference: made.reference }) })
    goTo({ screen: 'submission', id: made.id })
  }
  useHotkeys([['mod+Enter', unlessBehindDialog(() => void create())]], [])
  return (
    <FieldsContext value={form}>
      <div className={screen.header}>
        <LinkButton
          to={{ screen: 'queue' }}
          variant="subtle"
          color="gray"
          px={10}
          leftSection={<IconArrowLeft size={17} aria-hidden />}
        >
          {t('shell:screens.queue')}
        </LinkButton>
        <div className={screen.who}>
          <h1 ref={heading} tabIndex={-1} className={css.title}>
            {t('newCase:title')}
          </h1>
        </div>
        <span className={screen.gap} />
        <span className="small dim" role="status">
          {missing !== null && t(`newCase:${missing}`)}
        </span>
        <Button size="md" variant="default" disabled={isMaking} onClick={cancel}>
          {t('shell:cancel')}
        </Button>
        <Button
          size="md"
          leftSection={<IconCheck size={17} aria-hidden />}
          disabled={missing !== null}
          loading={isMaking}
          onClick={() => void create()}
        >
          {t('newCase:create')}
        </Button>
      </div>
      <div className={screen.screen}>
        {failure !== null && <FailureNotice failure={failure} />}
        <div className={screen.columns} inert={isMaking}>
          <FileBoard files={files} overflowCount={leftOut} />
          <form onSubmit={(event) => event.preventDefault()} noValidate>
            <PatientBlock />
          </form>
        </div>
      </div>
      <DropZone label={t('newCase:drop')} onFiles={isMaking ? null : addFiles} />
      <DroppedFilesDialog />
    </FieldsContext>
  )
}

function cancel(): void {
  clearNewCase()
  goTo({ screen: 'queue' })
}
