/** Reports as pages, links, JSON and files, and what they say of each eye. All of them are untrusted. */
import { Group, Loader, UnstyledButton } from '@mantine/core'
import { IconDownload, IconExternalLink, IconFileOff } from '@tabler/icons-react'
import { useState } from 'react'
import { type Loaded, offerDownload, useLoaded } from '../components/browser.tsx'
import { ActionButton, CopyAction, EmptyState, IconAction } from '../components/controls.tsx'
import { ConfirmDialog } from '../components/dialog.tsx'
import { type ReportKind, type ReportVersion } from '../../src-shared/report.ts'
import { EYES } from '../../src-shared/measurement-ranges.ts'
import { EyeMark } from '../components/badges.tsx'
import { openLabel, isSent, Photo, useBytesUrl } from '../components/photo.tsx'
import { t } from '../i18n/i18n.ts'
import { useNames } from '../privacy/names.tsx'
import { showToast } from '../shell/toast.tsx'
import { useAnswer, useSession } from '../store/use-station.ts'
import { openViewer } from '../viewer/viewer.tsx'
import treeCss from '../components/json-tree.module.css'
import { capitalised, MAX_REPORT_DEPTH, namesOf, type ReportReading } from './report-reading.ts'
import css from './report-reader.module.css'

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
    <div className={css.paper}>
      <p>{t('report:link.explain')}</p>
      <code className="verbatim">{address}</code>
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
        <code className="verbatim">{address}</code>
      </ConfirmDialog>
    </div>
  )
}

export function PictureReport({ id }: { readonly id: string }) {
  const bytes = useBytesUrl('report', id)
  if (bytes.kind === 'ready')
    return <img className={css.picture} src={bytes.value.url} alt={t('shell:screens.reports')} />
  if (bytes.kind === 'loading')
    return <Loader className={css.loading} aria-label={t('shell:screens.reports')} />
  return <UnavailableReport />
}

type EyeCardsProps = { readonly submissionId: string; readonly result: ReportReading }

/** The finding of each eye beside the images of it that were sent. */
export function EyeCards({ submissionId, result }: EyeCardsProps) {
  const { value, isReading } = useAnswer('submissions.get', { id: submissionId })
  const names = useNames()
  // An answer about another case shows another patient.
  const images = value?.id === submissionId ? value.images.filter(isSent) : []
  return (
    <section className={css.eyes} aria-label={t('viewer:images')}>
      {EYES.map((eye) => {
        const own = images.filter((image) => image.eye === eye)
        if (eye === 'unknown' && own.length === 0) return null
        const { finding, facts } = eye === 'unknown' ? NO_RESULT : result.eyes[eye]
        return (
          <div key={eye} className={`panel ${css.eye}`}>
            <h3 className="breakable">
              <EyeMark eye={eye} /> {finding ?? <span className="dim">{t(`field:eye.${eye}.name`)}</span>}
            </h3>
            {Object.keys(facts).length > 0 && <JsonTree value={facts} depth={1} />}
            {own.map((image) => (
              <UnstyledButton
                key={image.id}
                aria-label={openLabel(image, names.fileName(image.fileName))}
                onClick={() => openViewer({ submissionId, imageId: image.id })}
              >
                <Photo image={image} className={css.thumb} />
              </UnstyledButton>
            ))}
          </div>
        )
      })}
      {images.length === 0 && !isReading && <p className="dim">{t('report:noImages')}</p>}
    </section>
  )
}

const NO_RESULT = { finding: null, facts: {} }

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
  return <IconAction label={t('report:save')} icon={IconDownload} onClick={() => void save()} />
}

const ENDINGS: Readonly<Partial<Record<ReportKind, string>>> = { text: 'txt', link: 'txt', unknown: 'bin' }

/** A recognisable name without patient data: `report-88390_2.pdf`. */
export function reportFileName(
  caseId: string,
  number: number,
  { kind, contentType }: Pick<ReportVersion, 'kind' | 'contentType'>,
): string {
  const [, type = 'jpg'] = /^image\/(png|gif|webp|bmp|tif)/i.exec(contentType) ?? []
  const ending = kind === 'image' ? type.toLowerCase() : (ENDINGS[kind] ?? kind)
  // The id is the service's own and may contain characters that are invalid in file names.
  return `report-${caseId.replaceAll(/[^\p{L}\p{N}._-]+/gu, '_')}_${number}.${ending}`
}

/** The names of one object in people's words: `od_quality` as `Right eye (OD) quality`. */
export function fieldLabels(names: readonly string[]): string[] {
  return namesOf(names).map(({ eye, term }, index) => {
    const eyeLabel = eye && `${t(`field:eye.${eye}.name`)} (${t(`field:eye.${eye}.short`)})`
    return capitalised([eyeLabel, term].filter(Boolean).join(' ')) || (names[index] ?? '')
  })
}

/** Any JSON as names and values; nothing in it is interpreted as markup. */
export function JsonTree({ value, depth = 0 }: { readonly value: unknown; readonly depth?: number }) {
  if (value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0))
    return <span className="dim">{t('report:nothing')}</span>
  if (typeof value === 'boolean') return <span>{value ? t('report:yes') : t('report:no')}</span>
  if (typeof value === 'string') return <span className={treeCss.value}>{value}</span>
  if (typeof value !== 'object') return <span className={treeCss.value}>{JSON.stringify(value)}</span>
  if (depth >= MAX_REPORT_DEPTH) return <code className={treeCss.value}>{JSON.stringify(value)}</code>
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
  const labels = fieldLabels(Object.keys(value))
  return (
    <dl className={treeCss.object} data-depth={depth}>
      {Object.entries(value).map(([name, inner], index) => (
        <div key={name} className={treeCss.entry} data-nested={typeof inner === 'object' && inner !== null}>
          <dt>{labels[index]}</dt>
          <dd>
            <JsonTree value={inner} depth={depth + 1} />
          </dd>
        </div>
      ))}
    </dl>
  )
}
