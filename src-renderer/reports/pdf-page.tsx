import { VisuallyHidden } from '@mantine/core'
import { useInViewport } from '@mantine/hooks'
import type { PDFPageProxy } from 'pdfjs-dist'
import { useEffect, useRef, useState } from 'react'
import type { OpenPdf } from './open-pdf.ts'
import css from './pdf-page.module.css'
import { t } from '../words/t.ts'

/** CSS pixels: wide enough to read, and what the reader's column holds beside the images. */
const PAGE_WIDTH = 860
/** Beyond this a canvas only costs memory. */
const MAX_SCALE = 2

/** One page: a drawing for the eye, its text for screen readers. Drawn when it comes into view. */
export function PdfPage({ pdf, number }: { readonly pdf: OpenPdf; readonly number: number }) {
  const { ref, inViewport } = useInViewport<HTMLDivElement>()
  const canvas = useRef<HTMLCanvasElement>(null)
  const [wasSeen, setWasSeen] = useState(false)
  if (inViewport && !wasSeen) setWasSeen(true)
  const [text, setText] = useState('')
  const [ratio, setRatio] = useState(Math.SQRT2)

  useEffect(() => {
    if (!wasSeen) return undefined
    let stop = (): void => undefined
    let isCurrent = true
    const draw = async (): Promise<void> => {
      const page = await pdf.document.getPage(number)
      const target = canvas.current
      if (!isCurrent || !target) return
      const { width, height } = page.getViewport({ scale: 1 })
      setRatio(height / width)
      const scale = (PAGE_WIDTH / width) * Math.min(window.devicePixelRatio || 1, MAX_SCALE)
      const viewport = page.getViewport({ scale })
      target.width = Math.floor(viewport.width)
      target.height = Math.floor(viewport.height)
      const task = page.render({ canvas: target, viewport })
      stop = () => task.cancel()
      await task.promise
      const pageText = await readText(page)
      if (isCurrent) setText(pageText)
    }
    draw().catch((error: unknown) => {
      // A page that is left while it is drawn rejects, too.
      if (isCurrent) throw error
    })
    return () => {
      isCurrent = false
      stop()
    }
  }, [pdf, number, wasSeen])

  return (
    <div
      ref={ref}
      className={css.page}
      style={{ aspectRatio: `1 / ${ratio}` }}
      role="group"
      aria-label={t('report:page', { number, count: pdf.pageCount })}
    >
      <canvas ref={canvas} className={css.canvas} aria-hidden />
      <VisuallyHidden>{text}</VisuallyHidden>
    </div>
  )
}

async function readText(page: PDFPageProxy): Promise<string> {
  const { items } = await page.getTextContent()
  return items.map((item) => ('str' in item ? item.str + (item.hasEOL ? '\n' : '') : '')).join('')
}
