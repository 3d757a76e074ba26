/** The chosen files of a new case, and their uploads. */
import { ActionIcon, Button, Progress, UnstyledButton } from '@mantine/core'
import { IconCircleCheck, IconPhoto, IconPhotoPlus, IconX } from '@tabler/icons-react'
import { type ChangeEvent, type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { useStore } from 'zustand'
import { type Eye, EYES } from '../../src-shared/measurement-ranges.ts'
import { SmallButton } from '../components/controls.tsx'
import { formatBytes } from '../format/numbers.ts'
import { messageOf, t } from '../i18n/i18n.ts'
import { useNames } from '../privacy/names.tsx'
import { useSession } from '../store/use-station.ts'
import screen from '../submission/submission-screen.module.css'
import {
  addFiles,
  type ChosenFile,
  earlierDuplicate,
  MAX_FILE_SIZE_TEXT,
  MAX_FILES,
  newCase,
  nextUploads,
  type UploadRefusal,
  withChange,
} from './case-in-progress.tsx'
import css from './new-case.module.css'

/** The picture in a chosen file, if a browser can draw it; the station renders the others after the upload. */
function FilePreview({ file, alt }: { readonly file: File; readonly alt: string }) {
  const picture = useRef<HTMLImageElement>(null)
  const [isBroken, setBroken] = useState(false)
  useEffect(() => {
    const url = URL.createObjectURL(file)
    if (picture.current) picture.current.src = url
    return () => URL.revokeObjectURL(url)
  }, [file])
  return (
    <span className={css.preview}>
      {isBroken ? (
        <span className={css.noPreview} role="img" aria-label={`${alt}. ${t('newCase:noPreview')}`}>
          <IconPhoto size={26} stroke={1.5} aria-hidden />
          {t('newCase:noPreview')}
        </span>
      ) : (
        <img ref={picture} alt={alt} draggable={false} onError={() => setBroken(true)} />
      )}
    </span>
  )
}

const EYE_KEYS: Readonly<Record<string, Eye>> = { r: 'right', l: 'left', u: 'unknown' }

/** `sameAs`: the name of an earlier file with the same bytes. */
type FileCardProps = { readonly chosen: ChosenFile; readonly sameAs: string | null }

function FileCard({ chosen, sameAs }: FileCardProps) {
  const { id, file, eye } = chosen
  const name = useNames().fileName(file.name)
  const press = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const chosenEye = EYE_KEYS[event.key.toLowerCase()]
    if (chosenEye !== undefined) change(id, { eye: chosenEye })
  }
  return (
    <article className={css.card} aria-label={name} onKeyDown={press}>
      <FilePreview file={file} alt={name} />
      <div className={css.caption}>
        <span className="truncate" title={name}>
          {name}
        </span>
        <ActionIcon
          variant="subtle"
          color="gray"
          size={34}
          aria-label={t('newCase:remove', { what: name })}
          onClick={() => remove(id)}
        >
          <IconX size={17} aria-hidden />
        </ActionIcon>
      </div>
      <div className={css.state}>
        <FileState chosen={chosen} sameAs={sameAs} />
      </div>
      <div className={css.eyes} role="group" aria-label={t('newCase:eyeOf', { what: name })}>
        {EYES.map((one) => (
          <UnstyledButton
            key={one}
            className={css.eye}
            data-eye={one}
            aria-pressed={eye === one}
            aria-label={t('submission:images.assign', { eye: t(`field:eye.${one}.full`), what: name })}
            onClick={() => change(id, { eye: one })}
          >
            {t(`field:eye.${one}.short`)}
          </UnstyledButton>
        ))}
      </div>
    </article>
  )
}

function FileState({ chosen, sameAs }: FileCardProps) {
  const { id, file, state } = chosen
  const name = useNames().fileName(file.name)
  const size = formatBytes(file.size)
  switch (state.kind) {
    case 'waiting':
      return <span>{`${size} \u00b7 ${t('newCase:waiting')}`}</span>
    case 'sending':
      return (
        <>
          <span>{size}</span>
          <Progress
            flex={1}
            value={(state.sentBytes / file.size) * 100}
            aria-label={t('newCase:sending', { what: name })}
          />
        </>
      )
    case 'kept':
      if (sameAs !== null) return <span className={css.refused}>{t('newCase:same', { what: sameAs })}</span>
      return (
        <span className={css.uploaded}>
          <IconCircleCheck size={15} aria-hidden />
          {`${size} \u00b7 ${t('newCase:handedOver')}`}
        </span>
      )
    case 'refused':
      return (
        <>
          <span className={css.refused}>{t('newCase:failed', { why: refusalText(state.why) })}</span>
          {state.mayTryAgain && (
            <SmallButton onClick={() => change(id, { state: { kind: 'waiting' } })}>
              {t('shell:tryAgain')}
            </SmallButton>
          )}
        </>
      )
  }
}

function refusalText(why: UploadRefusal): string {
  if (typeof why === 'object') return messageOf(why)
  return why === 'empty' ? t('newCase:empty') : t('newCase:tooLarge', { size: MAX_FILE_SIZE_TEXT })
}

/** Offered first; a camera's files without an extension are available under "all files". */
const ACCEPTED =
  '.jpg,.jpeg,.png,.tif,.tiff,.bmp,.dcm,image/jpeg,image/png,image/tiff,image/bmp,application/dicom'

function choose({ currentTarget }: ChangeEvent<HTMLInputElement>): void {
  addFiles([...(currentTarget.files ?? [])])
  // Allows choosing the same file again after it was removed.
  currentTarget.value = ''
}

function change(id: string, changes: Partial<Pick<ChosenFile, 'eye' | 'state'>>): void {
  newCase.setState((state) => ({ files: withChange(state.files, id, changes) }))
}

function remove(id: string): void {
  newCase.setState((state) => ({ files: state.files.filter((one) => one.id !== id) }))
}

type FileBoardProps = { readonly files: readonly ChosenFile[]; readonly overflowCount: number }

export function FileBoard({ files, overflowCount }: FileBoardProps) {
  const input = useRef<HTMLInputElement>(null)
  const chooseButton = (
    <Button
      variant={files.length === 0 ? 'filled' : 'default'}
      leftSection={<IconPhotoPlus size={17} aria-hidden />}
      onClick={() => input.current?.click()}
    >
      {files.length === 0 ? t('newCase:choose') : t('newCase:chooseMore')}
    </Button>
  )
  return (
    <section className={screen.block} aria-labelledby="new-images">
      <div className={css.head}>
        <h2 id="new-images">
          {files.length === 0 ? t('submission:images.title') : t('queue:images', { count: files.length })}
        </h2>
        {files.length > 0 && chooseButton}
      </div>
      <input
        ref={input}
        type="file"
        multiple
        hidden
        accept={ACCEPTED}
        aria-label={t('newCase:choose')}
        onChange={choose}
      />
      {files.length === 0 ? (
        <div className={css.empty}>
          <IconPhotoPlus size={40} stroke={1.3} aria-hidden />
          <strong>{t('newCase:drop')}</strong>
          <span>{t('newCase:explain')}</span>
          <span>{t('newCase:dropMeans', { size: MAX_FILE_SIZE_TEXT })}</span>
          {chooseButton}
        </div>
      ) : (
        <>
          <p className={css.hint}>{t('newCase:eyeHint')}</p>
          <div className={css.cards}>
            {files.map((chosen) => (
              <FileCard
                key={chosen.id}
                chosen={chosen}
                sameAs={earlierDuplicate(files, chosen)?.file.name ?? null}
              />
            ))}
          </div>
        </>
      )}
      {overflowCount > 0 && (
        <p className={css.refused} role="alert">
          {t('newCase:tooMany', { count: MAX_FILES, left: overflowCount })}
        </p>
      )}
    </section>
  )
}

export function useUploads(): void {
  const { link } = useSession()
  const files = useStore(newCase, (state) => state.files)
  useEffect(() => {
    for (const { id, file } of nextUploads(files)) {
      change(id, { state: { kind: 'sending', sentBytes: 0 } })
      const upload = async (): Promise<void> => {
        const answer = await link.uploadFile(file, (sentBytes) =>
          change(id, { state: { kind: 'sending', sentBytes } }),
        )
        change(id, {
          state: answer.ok
            ? { kind: 'kept', path: answer.value.path, sha256: answer.value.sha256 }
            : { kind: 'refused', why: answer.failure, mayTryAgain: true },
        })
      }
      void upload()
    }
  }, [link, files])
}
