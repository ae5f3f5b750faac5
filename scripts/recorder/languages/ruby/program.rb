# Runs one scenario: RECORD_DSN=… ruby program.rb SCENARIO. Without a server it prints what the interpreter prints.
require 'logger'
require 'sentry-ruby'
require_relative 'cart'

RECORDED = ENV.key?('RECORD_DSN')
printed = 0

# Captures what the block raises. Without a server it is printed, a form feed between two.
report = lambda do |&code|
  code.call
rescue StandardError => e
  if RECORDED
    Sentry.capture_exception(e)
  else
    $stderr.print("\f") if printed.positive?
    printed += 1
    $stderr.puts(e.full_message(highlight: false, order: :top))
  end
end

if RECORDED
  Sentry.init do |config|
    config.dsn = ENV['RECORD_DSN']
    config.release = 'shop-rb@5.0.0'
    config.environment = 'staging'
    config.server_name = 'web-6'
    config.traces_sample_rate = 1.0
    config.send_default_pii = true
    config.capture_exception_frame_locals = true
    config.background_worker_threads = 0
    config.logger = Logger.new(File::NULL)
  end
  Sentry.set_user(id: 'u-42', email: 'ada@example.com', username: 'ada', ip_address: '203.0.113.9')
  Sentry.set_tags(plan: 'gold')
  Sentry.set_extras(note: 'an extra')
  Sentry.set_context('order', { id: 9, total: 12.5 })
  Sentry.add_breadcrumb(Sentry::Breadcrumb.new(category: 'cart', message: 'added A-1', data: { sku: 'A-1' }))
end

cart = Shop::Cart.new

def ask_rack(cart)
  require 'rack'
  require 'rack/mock'
  app = Rack::Builder.new do
    use Sentry::Rack::CaptureExceptions
    run ->(env) { env['PATH_INFO'] == '/stock' ? [200, {}, ['3']] : cart.order('rack') }
  end
  browser = Rack::MockRequest.new(app.to_app)
  browser.get('/stock', 'HTTP_HOST' => 'shop.example.com')
  browser.post(
    '/order/9?a=1&token=zz',
    input: 'quantity=two&password=pw',
    'CONTENT_TYPE' => 'application/x-www-form-urlencoded',
    'HTTP_HOST' => 'shop.example.com',
    'HTTP_COOKIE' => 'session=s3cret',
    'HTTP_AUTHORIZATION' => 'Bearer abc',
    'HTTP_X_FORWARDED_FOR' => '203.0.113.5'
  )
rescue RuntimeError
  Sentry.session_flusher.flush
end

case ARGV[0]
when 'cause' then %w[two three].each { |text| report.call { cart.order(text) } }
when 'key' then report.call { cart.at([1], 5) }
when 'block' then report.call { [1].each { |_| nil.upcase } }
when 'message' then Sentry.capture_message('stock is low', level: :warning)
when 'uncaught'
  at_exit { Sentry.capture_exception($!) } if RECORDED
  cart.order('x')
when 'thread' then Thread.new { report.call { cart.at([], 1) } }.join
when 'trace'
  transaction = Sentry.start_transaction(name: 'checkout', op: 'task')
  Sentry.get_current_scope.set_span(transaction)
  transaction.with_child_span(op: 'db.sql.query', description: 'SELECT 1') { |span| span.set_data(:rows, 3) }
  report.call { cart.order('t') }
  transaction.finish
when 'rack' then ask_rack(cart)
end
