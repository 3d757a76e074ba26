/**
 * Node's HTTP in the place of Chromium's, for electron-updater: the way of its own `ElectronHttpExecutor`, request by
 * request. What it does with the bytes (its checksums, its redirects) is in the class that both extend.
 */
import { request, type RequestOptions } from 'node:http'
import { createRequire } from 'node:module'

type DownloadOptions = {
  readonly cancellationToken: {
    createPromise<Value>(
      run: (
        resolve: (value: Value) => void,
        reject: (error: Error) => void,
        onCancel: (callback: () => void) => void,
      ) => void,
    ): Promise<Value>
  }
  readonly headers?: RequestOptions['headers']
}

type HttpExecutor = {
  doDownload(
    requestOptions: object,
    options: {
      readonly destination: string
      readonly options: DownloadOptions
      readonly onCancel: (callback: () => void) => void
      readonly callback: (error?: Error | null) => void
      readonly responseHandler: null
    },
    redirects: number,
  ): void
}

/** A package of electron-updater's own. */
const runtime: {
  readonly HttpExecutor: new () => HttpExecutor
  readonly configureRequestUrl: (url: URL, options: object) => void
  readonly configureRequestOptions: (options: object) => object
} = createRequire(createRequire(import.meta.url).resolve('electron-updater'))('builder-util-runtime')

export class NodeHttp extends runtime.HttpExecutor {
  createRequest(
    options: RequestOptions,
    callback: Parameters<typeof request>[2],
  ): ReturnType<typeof request> {
    return request(options, callback)
  }

  download(url: URL, destination: string, options: DownloadOptions): Promise<string> {
    return options.cancellationToken.createPromise((resolve, reject, onCancel) => {
      const requestOptions = { headers: options.headers, redirect: 'manual' }
      runtime.configureRequestUrl(url, requestOptions)
      runtime.configureRequestOptions(requestOptions)
      const callback = (error?: Error | null): void => (error ? reject(error) : resolve(destination))
      this.doDownload(requestOptions, { destination, options, onCancel, callback, responseHandler: null }, 0)
    })
  }
}
