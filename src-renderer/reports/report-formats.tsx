/** Reports as HTML, as links, and the images that they are about. All reports are untrusted. */
import { Group, Loader, Stack, UnstyledButton } from '@mantine/core'
import { IconDownload, IconExternalLink, IconFileOff } from '@tabler/icons-react'
import { useState } from 'react'
import { type Loaded, offerDownload, useLoaded } from '../components/browser.tsx'
import { ActionButton, CopyAction, EmptyState } from '../components/controls.tsx'
import { ConfirmDialog } from '../components/dialog.tsx'
import type { ReportKind, ReportVersion } from '../../src-shared/report.ts'
import { EYES } from '../../src-shared/measurement-ranges.ts'
import { EyeMark } from '../components/badges.tsx'
import { isSent, Photo } from '../components/photo.tsx'
import { t } from '../i18n/i18n.ts'
import { useNames } from '../privacy/names.tsx'
import { showToast } from '../shell/toast.tsx'
import { useAnswer, useSession } from '../store/use-station.ts'
import { openLabel } from '../submission/move-dialog.tsx'
import { openViewer } from '../viewer/viewer.tsx'
import css from './report-reader.module.css'
import treeCss from '../components/json-tree.module.css'

/**
 * Elements that neither a sandbox nor a policy covers: a `link` preconnects, a `base` and a `meta` affect the whole
 * page. The others are inert in a sandbox and only leave holes in the report.
 */
const UNWANTED = 'base, embed, frame, frameset, iframe, link, meta, object, script, template'

/** Removes everything that is not for reading. Links become text: following one, even a fragment, would replace the page. */
function plainHtml(html: string): string {
  // A separate document, in which nothing is executed or fetched.
  const page = new DOMParser().parseFromString(html, 'text/html')
  for (const element of page.querySelectorAll(UNWANTED)) element.remove()
  for (const link of page.querySelectorAll('a, area'))
    for (const name of ['href', 'xlink:href']) link.removeAttribute(name)
  return page.documentElement.outerHTML
}

/** Inline styles and inline pictures only; everything else in a report is blocked. */
const POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; img-src data:; font-src data:; base-uri 'none'; form-action 'none'"

/** Puts a policy before the page: the sandbox already blocks scripts and forms, the policy blocks the network. */
export function withContentPolicy(html: string): string {
  return `<!doctype html><meta http-equiv="Content-Security-Policy" content="${POLICY}">${html}`
}

export function UnavailableReport() {
  return (
    <EmptyState
      icon={IconFileOff}
      title={t('report:unavailable.title')}
      body={t('report:unavailable.body')}
    />
  )
}

/** An HTML report made harmless. */
export function useReportPage(id: string): Loaded<string> {
  const { link } = useSession()
  return useLoaded(id, async () => {
    const html = await (await link.readBytes('report', id)).text()
    return withContentPolicy(plainHtml(html))
  })
}

/** A page from the service in a frame that can neither run scripts, nor use the network, nor access this window. */
export function HtmlReport({ id }: { readonly id: string }) {
  const page = useReportPage(id)
  if (page.kind === 'failed') return <UnavailableReport />
  if (page.kind === 'loading') return <Loader className={css.loading} aria-label={t('report:html')} />
  return (
    <iframe
      className={css.frame}
      title={t('report:html')}
      sandbox=""
      srcDoc={page.value}
      referrerPolicy="no-referrer"
    />
  )
}

/** The address if a browser may open it: https, without credentials. Null for everything else. */
export function readWebAddress(text: string): URL | null {
  const url = URL.parse(text.trim())
  if (url?.protocol !== 'https:' || url.username !== '' || url.password !== '') return null
  return url
}

/** An untrusted address: the desktop app opens it only after a question that shows its host. */
export function LinkReport({ address }: { readonly address: string }) {
  const target = readWebAddress(address)
  const [isAsking, setAsking] = useState(false)
  const open = (): void => {
    setAsking(false)
    if (target) window.open(target.href, '_blank', 'noopener,noreferrer')
  }
  return (
    <div className={`${css.paper} ${css.link}`}>
      <p>{t('report:link.explain')}</p>
      <code>{address}</code>
      <Group>
        <CopyAction text={address} label={t('report:link.copy')} />
        {target && (
          <ActionButton icon={IconExternalLink} onClick={() => setAsking(true)}>
            {t('report:link.open')}
          </ActionButton>
        )}
      </Group>
      <ConfirmDialog
        opened={isAsking}
        onClose={() => setAsking(false)}
        title={t('report:link.question', { host: target?.host ?? '' })}
        text={t('report:link.means')}
        action={t('report:link.openNow')}
        onConfirm={open}
      >
        <code className={css.address}>{address}</code>
      </ConfirmDialog>
    </div>
  )
}

export function ReportImages({ submissionId }: { readonly submissionId: string }) {
  const { value } = useAnswer('submissions.get', { id: submissionId })
  const names = useNames()
  const images = EYES.flatMap((eye) =>
    (value?.images ?? []).filter((image) => image.eye === eye && isSent(image)),
  )
  return (
    <aside className={css.images} aria-label={t('viewer:images')}>
      <h3>{t('viewer:images')}</h3>
      {images.length === 0 && <p className="dim">{t('report:noImages')}</p>}
      <Stack gap={10}>
        {images.map((image) => (
          <div key={image.id} className={css.image}>
            <UnstyledButton
              className={css.open}
              aria-label={openLabel(image, names.fileName(image.fileName))}
              onClick={() => openViewer({ submissionId, imageId: image.id })}
            >
              <Photo image={image} className={css.thumb} />
            </UnstyledButton>
            <span>
              <EyeMark eye={image.eye} />
            </span>
          </div>
        ))}
      </Stack>
    </aside>
  )
}

export function SaveReport({ id, fileName }: { readonly id: string; readonly fileName: string }) {
  const session = useSession()
  const save = async (): Promise<void> => {
    try {
      offerDownload(await session.link.readBytes('report', id), fileName)
    } catch (error) {
      if (!(error instanceof Error)) throw error
      showToast({ tone: 'red', title: t('report:unavailable.title'), message: t('report:unavailable.body') })
    }
  }
  return (
    <ActionButton icon={IconDownload} onClick={() => void save()}>
      {t('report:save')}
    </ActionButton>
  )
}

const ENDINGS: Readonly<Record<ReportKind, string>> = {
  pdf: 'pdf',
  json: 'json',
  html: 'html',
  text: 'txt',
  image: 'jpg',
  link: 'txt',
  unknown: 'bin',
}

const IMAGE_ENDINGS: Readonly<Record<string, string>> = {
  'image/png': 'png',
  'image/gif': 'gif',
  'image/webp': 'webp',
  'image/bmp': 'bmp',
  'image/tiff': 'tif',
}

/** A recognisable name without patient data: `report-88390_2.pdf`. */
export function reportFileName(
  caseId: string,
  number: number,
  { kind, contentType }: Pick<ReportVersion, 'kind' | 'contentType'>,
): string {
  const [type = ''] = contentType.toLowerCase().split(';')
  const ending = (kind === 'image' && IMAGE_ENDINGS[type.trim()]) || ENDINGS[kind]
  // The id is the service's own and may contain characters that are invalid in file names.
  return `report-${caseId.replaceAll(/[^\p{L}\p{N}._-]+/gu, '_')}_${number}.${ending}`
}

/** Deeper than any readable report; a hostile answer must not overflow the stack. */
const MAX_DEPTH = 12

/** Any JSON as names and values; nothing in it is interpreted as markup. */
export function JsonTree({ value, depth = 0 }: { readonly value: unknown; readonly depth?: number }) {
  if (value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0))
    return <span className="dim">{t('report:nothing')}</span>
  if (typeof value === 'boolean') return <span>{value ? t('report:yes') : t('report:no')}</span>
  if (typeof value === 'string') return <span className={treeCss.value}>{value}</span>
  if (typeof value !== 'object') return <span className={treeCss.value}>{JSON.stringify(value)}</span>
  if (depth >= MAX_DEPTH) return <code className={treeCss.value}>{JSON.stringify(value)}</code>
  if (Array.isArray(value))
    return (
      <ol className={treeCss.list}>
        {value.map((item: unknown, index) => (
          // oxlint-disable-next-line react/no-array-index-key -- a report's list never changes, and its entries have no other name
          <li key={index}>
            <JsonTree value={item} depth={depth + 1} />
          </li>
        ))}
      </ol>
    )
  return (
    <dl className={treeCss.object} data-depth={depth}>
      {Object.entries(value).map(([name, inner]) => (
        <div key={name} className={treeCss.entry} data-nested={typeof inner === 'object' && inner !== null}>
          <dt>{readable(name)}</dt>
          <dd>
            <JsonTree value={inner} depth={depth + 1} />
          </dd>
        </div>
      ))}
    </dl>
  )
}

/** `diabetic_retinopathy` and `diabeticRetinopathy` as `Diabetic retinopathy`. */
function readable(name: string): string {
  const text = name
    .replaceAll(/[_-]+/g, ' ')
    .replaceAll(/([a-z\d])([A-Z])/g, (_all, end: string, start: string) => `${end} ${start.toLowerCase()}`)
    .trim()
  return text === '' ? name : text.charAt(0).toUpperCase() + text.slice(1)
}
