# A Rails application that is asked and answers itself: a loop that asks for each author by itself, with ActiveRecord.
require 'logger'
require 'rails'
require 'active_record/railtie'
require 'action_controller/railtie'
require 'sentry-ruby'
require 'sentry-rails'
require 'rack/mock'

ENV['DATABASE_URL'] = 'sqlite3::memory:'

class Shop < Rails::Application
  config.root = __dir__
  config.eager_load = false
  config.logger = Logger.new(File::NULL)
  config.hosts.clear
  config.secret_key_base = 'not a secret'

  initializer 'sentry' do
    Sentry.init do |config|
      config.dsn = ENV['RECORD_DSN']
      config.release = 'shop-rails@1.0.0'
      config.environment = 'staging'
      config.server_name = 'web-10'
      config.traces_sample_rate = 1.0
      config.background_worker_threads = 0
      config.logger = Logger.new(File::NULL)
    end
  end
end
Shop.initialize!

# A database is further away than memory.
database = ActiveRecord::Base.connection
database.raw_connection.create_function('pause', 1) do |answer, milliseconds|
  sleep(milliseconds.to_i / 1000.0)
  answer.result = 1
end
database.execute('create table people (id integer primary key, name text)')
database.execute('create view authors as select id, name from people where pause(8)')
database.execute('create table books (id integer primary key, title text, author_id integer)')
10.times do |id|
  database.execute("insert into people values (#{id}, 'Author #{id}')")
  database.execute("insert into books values (#{id}, 'Book #{id}', #{id})")
end

class Author < ActiveRecord::Base
  self.primary_key = 'id'
end

class Book < ActiveRecord::Base
  belongs_to :author
end

class BooksController < ActionController::Base
  def index
    render plain: Book.order(:title).map { |book| book.author.name }.join(', ')
  end
end

Shop.routes.draw { get '/books', to: 'books#index' }
Rack::MockRequest.new(Shop).get('/books', 'HTTP_HOST' => 'shop.example.com')
