import * as m from '../../../messages/platforms.ts';
import type { Setup, SetupStep } from './template.ts';

const options = (indent = '    '): string =>
  [
    'dsn="‹dsn›",',
    'environment="production",',
    '‹traces›traces_sample_rate=1.0,',
    '‹logs›enable_logs=True,',
    '‹release›release="shop@1.0.0",',
  ]
    .map((line) => line.replace(/^(‹\w+›)?(?=[a-z])/, `$1${indent}`))
    .join('\n');

const init = `import sentry_sdk

sentry_sdk.init(
${options()}
)`;

const install = (extra = ''): SetupStep => ({
  title: m.install,
  language: 'sh',
  code: extra ? `pip install "sentry-sdk[${extra}]"` : 'pip install sentry-sdk',
});

const start = (file: string, more = ''): SetupStep => ({
  title: m.initialize,
  file,
  language: 'python',
  code: more ? `${init}\n\n${more}` : init,
});

const test = (file: string, code: string): SetupStep => ({ title: m.testError, file, language: 'python', code });
const run = (code: string): SetupStep => ({ title: m.runTestError, language: 'sh', code });

const request = (command: string, port: number): SetupStep =>
  run(`${command} &\ncurl http://localhost:${port}/test-error`);

/** Integrations that need no word of their own: the SDK finds the framework. */
const web = (extra: string, file: string, app: string, command: string, port: number): Setup => ({
  // Those that are no WSGI or ASGI application send none.
  sendsSessions: extra !== 'tornado' && extra !== 'sanic',
  steps: [install(extra), start(file, app), request(command, port)],
});

export const platforms: Readonly<Record<string, Setup>> = {
  python: {
    steps: [install(), start('main.py'), test('main.py', `raise RuntimeError("Hello, Culprit")`)],
  },
  'python-django': {
    sendsSessions: true,
    steps: [
      install('django'),
      start('settings.py'),
      test(
        'urls.py',
        `from django.urls import path


def test_error(request):
    raise RuntimeError("Hello, Culprit")


urlpatterns = [
    path("test-error", test_error),
]`,
      ),
      request('python manage.py runserver', 8000),
    ],
  },
  'python-flask': web(
    'flask',
    'app.py',
    `from flask import Flask

app = Flask(__name__)


@app.route("/test-error")
def test_error():
    raise RuntimeError("Hello, Culprit")`,
    'flask --app app run',
    5000,
  ),
  'python-fastapi': web(
    'fastapi',
    'main.py',
    `from fastapi import FastAPI

app = FastAPI()


@app.get("/test-error")
async def test_error():
    raise RuntimeError("Hello, Culprit")`,
    'uvicorn main:app',
    8000,
  ),
  'python-starlette': web(
    'starlette',
    'main.py',
    `from starlette.applications import Starlette
from starlette.routing import Route


async def test_error(request):
    raise RuntimeError("Hello, Culprit")


app = Starlette(routes=[Route("/test-error", test_error)])`,
    'uvicorn main:app',
    8000,
  ),
  'python-celery': {
    steps: [
      install('celery'),
      {
        title: m.initializeWorker,
        file: 'tasks.py',
        language: 'python',
        code: `import sentry_sdk
from celery import Celery, signals

app = Celery("tasks", broker="redis://localhost")


@signals.celeryd_init.connect
def init_sentry(**_):
    sentry_sdk.init(
${options('        ')}
    )


@app.task
def test_error():
    raise RuntimeError("Hello, Culprit")`,
      },
      run(`celery -A tasks worker &\npython -c "import tasks; tasks.test_error.delay()"`),
    ],
  },
  'python-aiohttp': web(
    'aiohttp',
    'main.py',
    `from aiohttp import web


async def test_error(request):
    raise RuntimeError("Hello, Culprit")


app = web.Application()
app.router.add_get("/test-error", test_error)

if __name__ == "__main__":
    web.run_app(app, port=8080)`,
    'python main.py',
    8080,
  ),
  'python-tornado': web(
    'tornado',
    'main.py',
    `import asyncio

from tornado.web import Application, RequestHandler


class TestError(RequestHandler):
    def get(self):
        raise RuntimeError("Hello, Culprit")


app = Application([("/test-error", TestError)])


async def main():
    app.listen(8888)
    await asyncio.Event().wait()


if __name__ == "__main__":
    asyncio.run(main())`,
    'python main.py',
    8888,
  ),
  'python-awslambda': {
    steps: [
      install(),
      {
        title: m.initialize,
        file: 'function.py',
        language: 'python',
        code: `import sentry_sdk
from sentry_sdk.integrations.aws_lambda import AwsLambdaIntegration

sentry_sdk.init(
${options()}
    integrations=[AwsLambdaIntegration(timeout_warning=True)],
)


def handler(event, context):
    raise RuntimeError("Hello, Culprit")`,
      },
    ],
  },
  'python-rq': {
    steps: [
      install('rq'),
      start('sentry_settings.py'),
      test('jobs.py', `def test_error():\n    raise RuntimeError("Hello, Culprit")`),
      run(`rq worker -c sentry_settings &
python -c "import jobs, redis, rq; rq.Queue(connection=redis.Redis()).enqueue(jobs.test_error)"`),
    ],
  },
  'python-falcon': web(
    'falcon',
    'main.py',
    `import falcon


class TestError:
    def on_get(self, req, resp):
        raise RuntimeError("Hello, Culprit")


app = falcon.App()
app.add_route("/test-error", TestError())`,
    'gunicorn main:app',
    8000,
  ),
  'python-bottle': web(
    'bottle',
    'main.py',
    `from bottle import Bottle, run

app = Bottle()


@app.route("/test-error")
def test_error():
    raise RuntimeError("Hello, Culprit")


if __name__ == "__main__":
    run(app, port=8080)`,
    'python main.py',
    8080,
  ),
  'python-pyramid': web(
    'pyramid',
    'main.py',
    `from wsgiref.simple_server import make_server

from pyramid.config import Configurator


def test_error(request):
    raise RuntimeError("Hello, Culprit")


with Configurator() as config:
    config.add_route("test-error", "/test-error")
    config.add_view(test_error, route_name="test-error")
    app = config.make_wsgi_app()

if __name__ == "__main__":
    make_server("localhost", 6543, app).serve_forever()`,
    'python main.py',
    6543,
  ),
  'python-quart': web(
    'quart',
    'main.py',
    `from quart import Quart

app = Quart(__name__)


@app.get("/test-error")
async def test_error():
    raise RuntimeError("Hello, Culprit")`,
    'quart --app main run',
    5000,
  ),
  'python-sanic': web(
    'sanic',
    'main.py',
    `from sanic import Sanic

app = Sanic("shop")


@app.get("/test-error")
async def test_error(request):
    raise RuntimeError("Hello, Culprit")`,
    'sanic main:app',
    8000,
  ),
};

export const openTelemetry: readonly SetupStep[] = [
  {
    title: m.install,
    language: 'sh',
    code: `pip install opentelemetry-distro opentelemetry-exporter-otlp
opentelemetry-bootstrap -a install`,
  },
  {
    title: m.runOpenTelemetry,
    language: 'sh',
    code: `‹logs›export OTEL_LOGS_EXPORTER=otlp OTEL_PYTHON_LOGGING_AUTO_INSTRUMENTATION_ENABLED=true
opentelemetry-instrument python main.py`,
  },
];
